/** The turns of this universe in space and time, with what is known about the one that is pointed at. */
import { actors } from "../actors/state";
import { IconButton } from "../chrome/button";
import { many } from "../format/values";
import { Failed } from "../panes/parts";
import { turnsAsList } from "../state/preferences";
import { useQuery } from "../state/query";
import { Diagram, zoomDiagram } from "./canvas";
import { TurnList } from "./list";
import { describe } from "./model";
import { chosen, column, hovered, model, showsAll, turns } from "./state";

export function SpaceTimePane() {
  const { error } = useQuery(turns);
  useQuery(actors);
  const asList = turnsAsList.value;
  return (
    <div class="pane space-time">
      <Bar />
      {error !== null && <Failed text={error} />}
      {asList ? <TurnList /> : <Diagram />}
      {!asList && <About />}
    </div>
  );
}

/** All at once, and back to what can be read. */
function showAll(): void {
  column.value = null;
  showsAll.value = !showsAll.value;
}

function Bar() {
  const { bars, lanes, omitted } = model.value;
  const asList = turnsAsList.value;
  return (
    <div class="bar">
      <span class="grow soft">
        {many(bars.length, "turn")} of {many(lanes.length, "actor")}
        {omitted > 0 && `, ${many(omitted, "choice")} before`}
      </span>
      {!asList && (
        <>
          <IconButton icon="minus" label="Zoom the turns out" onClick={() => zoomDiagram(0.7)} />
          <IconButton icon="plus" label="Zoom the turns in" onClick={() => zoomDiagram(1.4)} />
          <IconButton icon="fit" label="Show all turns at once" pressed={showsAll.value} onClick={showAll} />
        </>
      )}
      <IconButton
        icon={asList ? "tree" : "list"}
        label={asList ? "Show the turns as a drawing" : "Show the turns as a list"}
        onClick={() => (turnsAsList.value = !asList)}
      />
    </div>
  );
}

function About() {
  const { bars, lanes } = model.value;
  const at = hovered.value ?? chosen.value;
  const bar = at === null ? undefined : bars[at];
  if (bar === undefined) {
    return (
      <p class="about-turn soft" role="status">
        A click goes to a turn, dragging moves along, the wheel zooms. Dashed arrows are messages that wait.
      </p>
    );
  }
  const { node, begins, ends } = bar.turn;
  return (
    <p class="about-turn" role="status">
      <span class="mono" title={describe(bar, lanes)}>
        {describe(bar, lanes)}
      </span>
      <span class="soft">
        {node} · {many(ends - begins, "instruction")}
      </span>
    </p>
  );
}
