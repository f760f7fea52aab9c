/** Panes that can be moved, closed and brought back, and that stay where they were put. */
import { effect, signal, type Signal } from "@preact/signals";
import { createDockview, type DockviewApi, type IContentRenderer, type ITabRenderer } from "dockview-core";
import { render } from "preact";
import { recall, remember } from "../state/preferences";
import { hasActors, position } from "../state/session";
import { Content } from "./content";
import { OF_ACTORS, PANES, type PaneId } from "./names";

/** Counts the arrangements that a new version would not understand. */
const KEY = "panes.1";

/** Whether what is kept has panes for actors. */
const ACTORS_KEY = "panes.actors";

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
  // Sizes are parts of the whole, so that has to be known first.
  api.layout(element.clientWidth, element.clientHeight);
  if (!restore(api)) arrange(api);
  const kept = api.onDidLayoutChange(() => remember(KEY, api.toJSON()));
  // What there is for actors comes with the first program that has some, and goes with one that has none.
  const stopFollowing = effect(() => {
    if (position.value === null) return;
    const [has, had] = [hasActors.value, recall(ACTORS_KEY) === true];
    if (has && !had) arrangeActors(api);
    if (!has) for (const id of OF_ACTORS) api.getPanel(id)?.api.close();
    if (has !== had) remember(ACTORS_KEY, has);
  });
  return () => {
    stopFollowing();
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
  const { width, height } = api;
  const add = adder(api);
  // Lines of code and the tree take what a board has no use for.
  const board = Math.min(400, width * 0.26);
  add("source");
  add("tree", { of: "source", to: "right" }, { width: (width + board) / 2 });
  add("board", { of: "tree", to: "right" }, { width: board });
  add("variables", { of: "source", to: "below" }, { height: height * 0.36 });
  add("mocks", { of: "board", to: "below" }, { height: height * 0.36 });
  // Nodes that are compared are chosen in the tree, and ways to states appear in it, so it stays in view.
  for (const id of ["wat", "diff", "graph"] as const) add(id, { of: "source", to: "within" });
  for (const id of ["coverage", "properties"] as const) add(id, { of: "tree", to: "within" });
  for (const id of ["stack", "watch", "memory", "console"] as const) add(id, { of: "variables", to: "within" });
  for (const id of ["breakpoints", "bookmarks", "log"] as const) add(id, { of: "mocks", to: "within" });
}

/** Who there is stands where the board is, and what they tell each other below the multiverse. */
function arrangeActors(api: DockviewApi): void {
  const add = adder(api);
  const beside = (wanted: PaneId) => (api.getPanel(wanted) === undefined ? undefined : wanted);
  const [board, tree] = [beside("board"), beside("tree")];
  if (api.getPanel("actors") === undefined) add("actors", board && { of: board, to: "within" });
  if (api.getPanel("space-time") === undefined) add("space-time", tree && { of: tree, to: "below" }, { height: api.height * 0.46 });
  api.getPanel("actors")?.api.setActive();
}

function adder(api: DockviewApi) {
  return (id: PaneId, beside?: { of: PaneId; to: "right" | "below" | "within" }, size?: { width?: number; height?: number }) =>
    api.addPanel({
      id,
      component: id,
      title: titleOf(id),
      inactive: beside?.to === "within",
      ...(beside === undefined ? {} : { position: { referencePanel: beside.of, direction: beside.to } }),
      ...(size?.width === undefined ? {} : { initialWidth: size.width }),
      ...(size?.height === undefined ? {} : { initialHeight: size.height }),
    });
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
  if (hasActors.value) arrangeActors(dock);
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
