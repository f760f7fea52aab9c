/** The graph as a drawing that one can move in. */
import { useEffect, useRef } from "preact/hooks";
import { surface, type Handlers } from "../drawing/surface";
import { fit, pan, reveal, toScreen, zoomAt } from "../tree/camera";
import { draw, extentOf, stateAt, xOf, yOf, type Scene } from "./draw";
import { camera, follows, found, goTo, here, hovered, laid, selected, type Laid } from "./state";

export interface PointableGraph extends HTMLCanvasElement {
  /** Where a state is drawn, from the canvas's left upper corner. */
  pointOf(state: number): { x: number; y: number } | null;
}

export function GraphCanvas() {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => start(host.current!, canvas.current!), []);
  return (
    <div class="tree-canvas graph-canvas" ref={host}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label="Drawing of all states. Arrows walk, Enter goes there; the ends are listed below."
      />
    </div>
  );
}

const element = () => document.querySelector<HTMLCanvasElement>(".graph-canvas canvas");

/** Brings the whole graph into view. */
export function fitGraph(): void {
  const [now, canvas] = [laid.value, element()];
  if (now === null || canvas === null) return;
  follows.value = true;
  camera.value = fit(extentOf(now.placement), { width: canvas.clientWidth, height: canvas.clientHeight }, 12);
}

export function zoomGraph(factor: number): void {
  const canvas = element();
  follows.value = false;
  if (canvas !== null) camera.value = zoomAt(camera.value, factor, canvas.clientWidth / 2, canvas.clientHeight / 2);
}

/** Brings a state into view. */
export function revealState(state: number): void {
  const [now, canvas] = [laid.value, element()];
  if (now === null || canvas === null) return;
  const size = { width: canvas.clientWidth, height: canvas.clientHeight };
  camera.value = reveal(camera.value, size, xOf(now, state), yOf(now, state), 40);
}

function start(host: HTMLDivElement, canvas: HTMLCanvasElement): () => void {
  const { size, palette, show, listen, effect, close } = surface<Scene>(host, canvas, draw);
  let fitted: Laid | null = null;
  effect(() => {
    const now = laid.value;
    if (now === null || size.value.width === 0) return;
    show({
      ...now,
      camera: camera.value,
      size: size.value,
      palette: palette.value,
      here: here.value,
      selected: selected.value,
      hovered: hovered.value,
      found: new Set(found.value?.states.map((one) => one.state.id)),
    });
  });
  // One that was drawn anew is seen as a whole, and stays so when the pane changes.
  effect(() => {
    if (laid.value === null || size.value.width === 0) return;
    if (laid.value !== fitted || follows.peek()) fitGraph();
    fitted = laid.value;
  });
  listen(handlersOf(canvas));
  (canvas as PointableGraph).pointOf = (state) => {
    const now = laid.value;
    return now === null ? null : toScreen(camera.value, xOf(now, state), yOf(now, state));
  };
  return close;
}

function handlersOf(canvas: HTMLCanvasElement): Handlers {
  let drag: { x: number; y: number; moved: boolean } | null = null;
  const under = (event: MouseEvent): number | null => {
    const now = laid.value;
    return now === null ? null : stateAt({ ...now, camera: camera.value }, event.offsetX, event.offsetY);
  };
  const choose = (state: number) => {
    selected.value = state;
    revealState(state);
  };
  const press = (key: string): boolean => {
    const now = laid.value;
    if (now === null) return false;
    const at = selected.value ?? here.value ?? 0;
    if (key.startsWith("Arrow")) choose(selected.value === null ? at : next(now, at, key));
    else if (key === "Enter") void goTo(at);
    else if (key === "+" || key === "=") zoomGraph(1.25);
    else if (key === "-") zoomGraph(0.8);
    else if (key === "0") fitGraph();
    else if (key === "Escape") selected.value = null;
    else return false;
    return true;
  };
  const handlers = {
    pointerdown(event: PointerEvent) {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      drag = { x: event.clientX, y: event.clientY, moved: false };
    },
    pointermove(event: PointerEvent) {
      if (drag === null) {
        hovered.value = under(event);
        canvas.classList.toggle("over", hovered.value !== null);
        return;
      }
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.moved && Math.hypot(dx, dy) < 4) return;
      drag = { x: event.clientX, y: event.clientY, moved: true };
      follows.value = false;
      camera.value = pan(camera.value, dx, dy);
    },
    pointerup(event: PointerEvent) {
      if (drag !== null && !drag.moved) selected.value = under(event);
      drag = null;
    },
    pointerleave() {
      hovered.value = null;
    },
    dblclick(event: MouseEvent) {
      const state = under(event);
      if (state !== null) void goTo(state);
    },
    wheel(event: WheelEvent) {
      event.preventDefault();
      follows.value = false;
      if (event.shiftKey) camera.value = pan(camera.value, -event.deltaY - event.deltaX, 0);
      else camera.value = zoomAt(camera.value, Math.exp(-event.deltaY * 0.0016), event.offsetX, event.offsetY);
    },
    keydown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (!press(event.key)) return;
      event.preventDefault();
      // What the keys choose is what is looked at, wherever the pointer rests.
      hovered.value = null;
    },
  };
  return handlers;
}

/** The state next to one: where a step leads, where the shortest way comes from, or beside it in its layer. */
function next({ model, placement }: Laid, at: number, key: string): number {
  if (key === "ArrowLeft") return model.view.states[at]!.parent ?? at;
  if (key === "ArrowRight") {
    const edge = model.out[at]![0];
    return edge === undefined ? at : model.view.edges[edge]!.to;
  }
  const way = key === "ArrowDown" ? 1 : -1;
  let [best, least] = [at, Infinity];
  placement.row.forEach((row, state) => {
    const distance = (row - placement.row[at]!) * way;
    if (placement.layer[state] === placement.layer[at] && distance > 0 && distance < least) [best, least] = [state, distance];
  });
  return best;
}
