/** The tree as a drawing that one can move in. */
import { useEffect, useRef } from "preact/hooks";
import { surface, type Handlers } from "../drawing/surface";
import { slide } from "../state/actions";
import { hasActors } from "../state/session";
import { fit, follow, NARROWEST, NARROWEST_TURNS, pan, reveal, toScreen, toTree, zoomAt, type Camera, type Size } from "./camera";
import { cull, nodeAt } from "./cull";
import { draw } from "./draw";
import { drawMinimap, minimapTarget } from "./minimap";
import type { Palette } from "./palette";
import { extentOf, pointOn, xOf, yOf, type Scene } from "./scene";
import { camera, compareNode, follows, found, here, hovered, laid, levels, menu, selected, toggleFold, verdicts, way, type Laid } from "./state";
import { journey, walk, type Way } from "./walk";

export interface PointableCanvas extends HTMLCanvasElement {
  /** Where a node is drawn, or the mark of `here`, from the canvas's left upper corner. */
  pointOf(node: string): { x: number; y: number } | null;
}

export function TreeCanvas() {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => start(host.current!, canvas.current!), []);
  return (
    <div class="tree-canvas" ref={host}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label="Drawing of the multiverse. Arrows walk, Enter slides, Space folds; the list shows the same."
      />
    </div>
  );
}

/** Brings the whole tree into view. */
export function fitTree(): void {
  const now = laid.value;
  const element = document.querySelector(".tree-canvas canvas");
  if (now === null || element === null) return;
  follows.value = true;
  camera.value = fit(extentOf(now.placement), { width: element.clientWidth, height: element.clientHeight });
}

/** Brings a node, or a point of the edge to it, into view and zooms in on it if it could not be read. */
export function revealNode(now: Laid, node: number, part = 1): void {
  const element = document.querySelector(".tree-canvas canvas");
  if (element === null) return;
  const size = { width: element.clientWidth, height: element.clientHeight };
  const readable = camera.value.zoom < 0.3 || camera.value.across < 0.2 ? { zoom: 0.8, across: 0.8 } : {};
  const { x, y } = pointOn(now, node, part);
  camera.value = reveal({ ...camera.value, ...readable }, size, x, y);
}

export function zoomBy(factor: number): void {
  const element = document.querySelector(".tree-canvas canvas");
  if (element === null) return;
  follows.value = false;
  camera.value = zoomAt(camera.value, factor, element.clientWidth / 2, element.clientHeight / 2);
}

/** Fewer nodes than these are not worth being looked at closely, if there are more. */
const FEWEST_SEEN = 3;

/** How many nodes are in view. */
function nodesIn(now: Laid, view: Camera, size: Size): number {
  const extent = { left: view.x, top: view.y, right: view.x + size.width / view.across, bottom: view.y + size.height / view.zoom };
  let found = 0;
  const node = (at: number) => {
    const y = yOf(now, at);
    if (y >= extent.top && y <= extent.bottom) found++;
  };
  cull(now.shown.shape, now.placement, extent, view, { node, bundle: () => undefined });
  return found;
}

function start(host: HTMLDivElement, canvas: HTMLCanvasElement): () => void {
  const { size, palette, show, listen, effect, close } = surface<Scene>(host, canvas, (context, scene) => {
    draw(context, scene);
    drawMinimap(context, scene);
  });
  effect(() => {
    const now = laid.value;
    if (now !== null && size.value.width > 0) show(sceneOf(now, size.value, palette.value));
  });
  // Going somewhere brings that place into view.
  effect(() => {
    const [at, now, seen] = [here.value, laid.value, size.value];
    if (now === null || now.shown.shape.size === 0 || seen.width === 0) return;
    const { x, y } = pointOn(now, at?.node ?? 0, at?.along ?? 0);
    const before = camera.peek();
    const narrowest = hasActors.peek() ? NARROWEST_TURNS : NARROWEST;
    if (!follows.peek()) {
      camera.value = reveal(before, seen, x, y);
      return;
    }
    const extent = extentOf(now.placement);
    const close = follow(before, extent, seen, x, y, narrowest);
    // Where the next nodes are far above and below, the shape of the tree says more than one of them.
    camera.value = nodesIn(now, close, seen) < FEWEST_SEEN ? fit(extent, seen) : close;
  });
  listen(handlersOf(canvas));
  // A drawing has no elements to point at: whoever has to, such as a test, asks where a node is.
  (canvas as PointableCanvas).pointOf = (name) => {
    const now = laid.value;
    if (name === "here") {
      const { x, y } = pointOn(now!, here.value!.node, here.value!.along);
      return toScreen(camera.value, x, y);
    }
    const item = now?.model.index.get(name);
    const node = item === undefined ? -1 : now!.shown.at[item]!;
    return node < 0 ? null : toScreen(camera.value, xOf(now!, node), yOf(now!, node));
  };
  return close;
}

function sceneOf(now: Laid, size: Size, palette: Palette): Scene {
  const chosen = selected.value === null ? undefined : now.model.index.get(selected.value);
  const selectedNode = chosen === undefined || now.shown.at[chosen]! < 0 ? null : now.shown.at[chosen]!;
  const at = here.value;
  const target = hovered.value ?? selectedNode;
  const valid = target !== null && target < now.shown.shape.size ? target : null;
  const marks = new Map<number, 1 | 2>();
  if (at !== null && valid !== null) {
    const trip = journey(now.shown.shape, at.node, valid);
    for (const node of trip.back) marks.set(node, 1);
    for (const node of trip.on) marks.set(node, 2);
  }
  const matched = new Set(found.value.map((item) => now.shown.at[item] ?? -1).filter((node) => node >= 0));
  return {
    ...now,
    camera: camera.value,
    size,
    palette,
    levels: levels.value,
    here: at,
    way: way.value,
    selected: selectedNode,
    hovered: hovered.value,
    journey: marks,
    verdicts: verdicts.value,
    found: matched,
  };
}

const WAYS: Record<string, Way> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

function handlersOf(canvas: HTMLCanvasElement): Handlers {
  let drag: { x: number; y: number; moved: boolean; minimap: boolean } | null = null;

  const nodeUnder = (event: MouseEvent): number | null => {
    const now = laid.value;
    if (now === null) return null;
    const at = toTree(camera.value, event.offsetX, event.offsetY);
    return nodeAt(now.shown.shape, now.placement, at.x, at.y, camera.value);
  };
  const itemOf = (node: number) => {
    const now = laid.value!;
    return now.model.items[now.shown.items[node]!]!;
  };
  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });
  const goByMinimap = (event: MouseEvent): boolean => {
    const now = laid.value;
    const to = now === null ? null : minimapTarget(now.placement, camera.value, size(), event.offsetX, event.offsetY);
    if (to !== null) camera.value = to;
    return to !== null;
  };

  const handlers = {
    pointerdown(event: PointerEvent) {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      drag = { x: event.clientX, y: event.clientY, moved: false, minimap: goByMinimap(event) };
    },
    pointermove(event: PointerEvent) {
      if (drag === null) {
        hovered.value = nodeUnder(event);
        canvas.classList.toggle("over", hovered.value !== null);
        return;
      }
      if (drag.minimap) return void goByMinimap(event);
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.moved && Math.hypot(dx, dy) < 4) return;
      drag = { x: event.clientX, y: event.clientY, moved: true, minimap: false };
      follows.value = false;
      camera.value = pan(camera.value, dx, dy);
    },
    pointerup(event: PointerEvent) {
      const clicked = drag !== null && !drag.moved && !drag.minimap;
      drag = null;
      if (!clicked) return;
      const node = nodeUnder(event);
      if (node !== null && (event.ctrlKey || event.metaKey)) compareNode(itemOf(node));
      else selected.value = node === null ? null : itemOf(node).node;
    },
    pointerleave() {
      hovered.value = null;
    },
    dblclick(event: MouseEvent) {
      const node = nodeUnder(event);
      if (node !== null) void slide(itemOf(node).place);
    },
    contextmenu(event: MouseEvent) {
      const node = nodeUnder(event);
      if (node === null) return;
      event.preventDefault();
      selected.value = itemOf(node).node;
      menu.value = { x: event.clientX, y: event.clientY, node: itemOf(node).node };
    },
    wheel(event: WheelEvent) {
      event.preventDefault();
      follows.value = false;
      if (event.shiftKey) camera.value = pan(camera.value, -event.deltaY - event.deltaX, 0);
      else camera.value = zoomAt(camera.value, Math.exp(-event.deltaY * 0.0016), event.offsetX, event.offsetY);
    },
    keydown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (press(event.key)) event.preventDefault();
    },
  };
  const press = (key: string): boolean => {
    const now = laid.value;
    if (now === null || now.shown.shape.size === 0) return false;
    const item = selected.value === null ? undefined : now.model.index.get(selected.value);
    const from = item === undefined || now.shown.at[item]! < 0 ? (here.value?.node ?? 0) : now.shown.at[item]!;
    if (key in WAYS) {
      const to = selected.value === null ? from : walk(now.shown.shape, now.placement, from, WAYS[key]!);
      selected.value = itemOf(to).node;
      revealNode(now, to);
    } else if (key === "Enter") void slide(itemOf(from).place);
    else if (key === " ") toggleFold(itemOf(from).node);
    else if (key === "+" || key === "=") zoomBy(1.25);
    else if (key === "-") zoomBy(0.8);
    else if (key === "0") fitTree();
    else if (key === "Escape") selected.value = null;
    else if (key === "/") document.querySelector<HTMLInputElement>(".tree-search")?.focus();
    else return false;
    return true;
  };
  return handlers;
}
