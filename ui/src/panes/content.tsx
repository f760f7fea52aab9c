import type { Signal } from "@preact/signals";
import { Component, type ComponentChildren, type ComponentType } from "preact";
import { ActorsPane } from "../actors/pane";
import { BoardPane } from "../board/board";
import { SourcePane } from "../editor/source";
import { WatPane } from "../editor/wat";
import { GraphPane } from "../graph/pane";
import { PropertiesPane } from "../properties/pane";
import { SpaceTimePane } from "../space-time/pane";
import { TreePane } from "../tree/pane";
import { BookmarksPane } from "./bookmarks";
import { BreakpointsPane } from "./breakpoints";
import { ConsolePane } from "./console";
import { CoveragePane } from "./coverage";
import { DiffPane } from "./diff";
import { LogPane } from "./log";
import { MemoryPane } from "./memory";
import { MocksPane } from "./mocks";
import type { PaneId } from "./names";
import { StackPane } from "./stack";
import { VariablesPane } from "./variables";
import { WatchPane } from "./watch";

const CONTENTS: Record<PaneId, ComponentType> = {
  source: SourcePane,
  wat: WatPane,
  tree: TreePane,
  graph: GraphPane,
  board: BoardPane,
  actors: ActorsPane,
  "space-time": SpaceTimePane,
  variables: VariablesPane,
  stack: StackPane,
  memory: MemoryPane,
  watch: WatchPane,
  diff: DiffPane,
  coverage: CoveragePane,
  properties: PropertiesPane,
  mocks: MocksPane,
  breakpoints: BreakpointsPane,
  bookmarks: BookmarksPane,
  log: LogPane,
  console: ConsolePane,
};

export function Content({ id, shown }: { id: PaneId; shown: Signal<boolean> }) {
  if (!shown.value) return null;
  const Inside = CONTENTS[id];
  return (
    <Mishap>
      <Inside />
    </Mishap>
  );
}

/** A mistake in one pane is said there, and leaves the others alone. */
class Mishap extends Component<{ children: ComponentChildren }, { error: Error | null }> {
  override state = { error: null };

  static override getDerivedStateFromError(error: Error) {
    return { error };
  }

  render({ children }: { children: ComponentChildren }, { error }: { error: Error | null }) {
    if (error === null) return children;
    return (
      <div class="empty" role="alert">
        <strong>This pane has failed.</strong>
        <p>{error.message}</p>
        <button type="button" onClick={() => this.setState({ error: null })}>
          Try again
        </button>
      </div>
    );
  }
}
