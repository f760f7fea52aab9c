/** Panes that can be moved, closed and brought back, and that stay where they were put. */
import { signal, type Signal } from "@preact/signals";
import { createDockview, type DockviewApi, type IContentRenderer, type ITabRenderer } from "dockview-core";
import { render } from "preact";
import { recall, remember } from "../state/preferences";
import { Content } from "./content";
import { PANES, type PaneId } from "./names";

/** Counts the arrangements that a new version would not understand. */
const KEY = "panes.1";

let dock: DockviewApi | null = null;

/** Fills the element with panes; the result takes them away again. */
export function startPanes(element: HTMLElement): () => void {
  const api = createDockview(element, {
    theme: { name: "manyworlds", className: "mw-dock", gap: 6 },
    createComponent: ({ name }) => pane(name as PaneId),
    createTabComponent: () => tab(),
    defaultTabComponent: "tab",
    disableFloatingGroups: true,
    scrollbars: "native",
  });
  dock = api;
  if (!restore(api)) arrange(api);
  const kept = api.onDidLayoutChange(() => remember(KEY, api.toJSON()));
  return () => {
    kept.dispose();
    api.dispose();
    dock = null;
  };
}

function restore(api: DockviewApi): boolean {
  const kept = recall(KEY);
  if (kept === null) return false;
  try {
    api.fromJSON(kept as Parameters<DockviewApi["fromJSON"]>[0]);
    return api.panels.length > 0;
  } catch {
    api.clear();
    return false;
  }
}

/** Where panes are until somebody moves them: code left, the multiverse in the middle, the board right. */
function arrange(api: DockviewApi): void {
  const add = (id: PaneId, position?: Parameters<DockviewApi["addPanel"]>[0]["position"], inactive = false) =>
    api.addPanel({
      id,
      component: id,
      title: titleOf(id),
      inactive,
      ...(position === undefined ? {} : { position }),
    });
  const within = (id: PaneId) => ({ referencePanel: id, direction: "within" as const });
  add("source");
  const tree = add("tree", { referencePanel: "source", direction: "right" });
  const board = add("board", { referencePanel: "tree", direction: "right" });
  const variables = add("variables", { referencePanel: "source", direction: "below" });
  const mocks = add("mocks", { referencePanel: "board", direction: "below" });
  add("wat", within("source"), true);
  add("diff", within("tree"), true);
  for (const id of ["stack", "watch", "memory"] as const) add(id, within("variables"), true);
  for (const id of ["breakpoints", "bookmarks", "log"] as const) add(id, within("mocks"), true);
  const { width, height } = api;
  tree.api.setSize({ width: width * 0.45 });
  board.api.setSize({ width: width * 0.25 });
  variables.api.setSize({ height: height * 0.34 });
  mocks.api.setSize({ height: height * 0.34 });
}

function titleOf(id: PaneId): string {
  return PANES.find((pane) => pane.id === id)!.title;
}

/** Brings a pane to the front, and back if it was closed. */
export function showPane(id: PaneId): void {
  if (dock === null) return;
  const there = dock.getPanel(id);
  if (there !== undefined) there.api.setActive();
  else dock.addPanel({ id, component: id, title: titleOf(id) });
}

export function resetPanes(): void {
  if (dock === null) return;
  dock.clear();
  arrange(dock);
}

/** A pane is drawn only while it can be seen: what nobody sees asks the debugger for nothing. */
function pane(id: PaneId): IContentRenderer {
  const element = document.createElement("div");
  element.className = "pane-host";
  const shown: Signal<boolean> = signal(false);
  return {
    element,
    init({ api }) {
      shown.value = api.isVisible;
      api.onDidVisibilityChange((event) => (shown.value = event.isVisible));
      render(<Content id={id} shown={shown} />, element);
    },
    dispose() {
      render(null, element);
    },
  };
}

function tab(): ITabRenderer {
  const element = document.createElement("div");
  element.className = "mw-tab";
  return {
    element,
    init({ title, api }) {
      const label = document.createElement("span");
      label.textContent = title;
      const close = document.createElement("button");
      close.type = "button";
      close.className = "plain";
      close.tabIndex = -1;
      close.textContent = "×";
      close.setAttribute("aria-label", `Close ${title}`);
      close.title = `Close ${title}; the command palette brings it back`;
      close.addEventListener("pointerdown", (event) => event.stopPropagation());
      close.addEventListener("click", () => api.close());
      element.append(label, close);
    },
  };
}
