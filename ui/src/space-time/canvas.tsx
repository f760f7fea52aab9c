/** The diagram as a drawing: click a turn to go there, drag to move along, turn the wheel to zoom. */
import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { surface } from "../drawing/surface";
import { slide } from "../state/actions";
import { Scrubber } from "../state/scrub";
import { standing } from "../state/session";
import { draw, type Scene } from "./draw";
import { partOf, type Bar } from "./model";
import { column, chosen, hovered, model, showsAll } from "./state";
import { columnAt, laneAt, laneHeight, onBar, WIDEST, xOf, yOf, zoomed, type Scale } from "./scale";

export interface PointableDiagram extends HTMLCanvasElement {
  /** Where the bar of a turn is drawn, from the canvas's left upper corner. */
  pointOf(node: string): { x: number; y: number } | null;
}

export function Diagram() {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const space = useRef<HTMLDivElement>(null);
  useEffect(() => start(host.current!, canvas.current!, space.current!), []);
  return (
    <div class="diagram" ref={host}>
      <div class="space" ref={space} />
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label="Diagram of turns and messages. Left and right choose a turn, up and down one of another actor, Enter slides; the list shows the same."
      />
    </div>
  );
}

const TOP = 16;
const BELOW = 6;
/** Room after the last turn, for what it has sent. */
const AFTER = 1.8;

/** As wide as there is room for, and wide enough to be read. */
function usualColumn(bars: number, room: number): number {
  return Math.max(30, Math.min(110, room / (Math.max(1, bars) + AFTER)));
}

/** Where the session stands, as a column with its part. */
const here = computed(() => {
  const [now, at] = [model.value, standing.value];
  const bar = now.bars[now.current];
  if (at === null) return null;
  return bar === undefined ? 0 : onBar(now.current, partOf(bar.turn, at.place.count));
});

const scrubber = new Scrubber((to: string) => slide(to));

export function zoomDiagram(factor: number): void {
  (document.querySelector(".diagram canvas") as ZoomableCanvas | null)?.zoomBy(factor, null);
}

interface ZoomableCanvas extends PointableDiagram {
  zoomBy(factor: number, x: number | null): void;
}

function start(host: HTMLDivElement, plain: HTMLCanvasElement, space: HTMLDivElement): () => void {
  const canvas = plain as ZoomableCanvas;
  const { size, palette, show, listen, effect, close } = surface<Scene>(host, canvas, draw);
  const scroll = signal({ x: 0, y: 0 });
  let isDragged = false;

  const scale = computed<Scale>(() => {
    const { lanes, bars } = model.value;
    const { width, height } = size.value;
    const longest = lanes.reduce((most, lane) => Math.max(most, lane.name.length), 4);
    const lane = laneHeight(lanes.length, height - TOP - BELOW, showsAll.value);
    const character = Math.max(9.5, Math.min(12, lane - 2)) * 0.605;
    const left = Math.ceil(Math.min(longest * character + 18, Math.max(60, width * 0.26)));
    const room = width - left;
    const wide = showsAll.value ? Math.min(WIDEST, room / (bars.length + AFTER)) : (column.value ?? usualColumn(bars.length, room));
    return { column: wide, lane, left, top: TOP, scrollX: scroll.value.x, scrollY: scroll.value.y };
  });

  // It scrolls within its host, which it covers.
  effect(() => {
    canvas.style.width = `${size.value.width}px`;
    canvas.style.height = `${size.value.height}px`;
  });
  effect(() => {
    const { column: wide, lane, left, top } = scale.value;
    space.style.width = `${left + (model.value.bars.length + AFTER) * wide}px`;
    space.style.height = `${top + model.value.lanes.length * lane + BELOW}px`;
  });
  effect(() => {
    show({
      model: model.value,
      scale: scale.value,
      size: size.value,
      palette: palette.value,
      here: here.value,
      chosen: chosen.value,
      hovered: hovered.value,
    });
  });
  /** The scrolling nearest to what it is with which a point is seen, and some of what is around it. */
  const within = (point: number, room: number, around: number, now: number) => {
    const edge = Math.min(room / 4, around);
    return Math.max(point - room + edge, Math.min(point - edge, now));
  };
  const reveal = (at: number, bar: Bar | undefined) => {
    const { column: wide, left, lane, top } = scale.peek();
    const { width, height } = size.peek();
    if (width <= left) return;
    host.scrollTo({
      left: within(at * wide, width - left, 90, host.scrollLeft),
      top: bar === undefined ? host.scrollTop : within((bar.lane + 0.5) * lane, height - top, 40, host.scrollTop),
    });
  };
  // Going somewhere brings that place into view.
  effect(() => {
    const at = here.value;
    void size.value;
    if (at !== null && !isDragged) reveal(at, model.value.bars[model.value.current]);
  });

  const barAt = (event: MouseEvent): number | null => {
    const at = Math.floor(columnAt(scale.peek(), event.offsetX));
    return event.offsetX < scale.peek().left || at < 0 || at >= model.peek().bars.length ? null : at;
  };
  const drag = (event: PointerEvent) => {
    const { bars } = model.peek();
    if (bars.length === 0) return;
    const exact = columnAt(scale.peek(), event.offsetX);
    const { turn } = bars[Math.max(0, Math.min(bars.length - 1, Math.floor(exact)))]!;
    // Turns are what one looks for: with Alt, every instruction can be hit.
    const part = Math.max(0, Math.min(1, exact - Math.floor(exact)));
    void scrubber.to(event.altKey ? String(turn.begins + Math.round(part * (turn.ends - turn.begins))) : turn.node);
  };
  canvas.zoomBy = (factor, x) => {
    const { left, column: before } = scale.peek();
    const fixed = Math.max(left, x ?? xOf(scale.peek(), here.peek() ?? 0));
    const at = columnAt(scale.peek(), fixed);
    showsAll.value = false;
    column.value = zoomed(before, factor);
    host.scrollLeft = at * column.value - (fixed - left);
  };
  const choose = (at: number) => {
    const { bars } = model.peek();
    if (bars.length === 0) return;
    chosen.value = Math.max(0, Math.min(bars.length - 1, at));
    reveal(chosen.value + 0.5, bars[chosen.value]);
  };
  /** The turn nearest in time of the next actor above or below that has one. */
  const otherLane = (from: number, way: 1 | -1): number => {
    const { bars, lanes } = model.peek();
    for (let lane = (bars[from]?.lane ?? 0) + way; lane >= 0 && lane < lanes.length; lane += way) {
      let best = -1;
      bars.forEach((bar, at) => {
        if (bar.lane === lane && (best < 0 || Math.abs(at - from) < Math.abs(best - from))) best = at;
      });
      if (best >= 0) return best;
    }
    return from;
  };
  const press = (key: string): boolean => {
    const { bars, current } = model.peek();
    const at = chosen.peek() ?? Math.max(0, current);
    const isFirst = chosen.peek() === null;
    if (key === "ArrowRight") choose(isFirst ? at : at + 1);
    else if (key === "ArrowLeft") choose(isFirst ? at : at - 1);
    else if (key === "ArrowDown") choose(otherLane(at, 1));
    else if (key === "ArrowUp") choose(otherLane(at, -1));
    else if (key === "Home") choose(0);
    else if (key === "End") choose(bars.length - 1);
    else if (key === "Enter" && bars[at] !== undefined) void slide(bars[at].turn.node);
    else if (key === "+" || key === "=") canvas.zoomBy(1.25, null);
    else if (key === "-") canvas.zoomBy(0.8, null);
    else if (key === "0") showsAll.value = !showsAll.value;
    else if (key === "Escape") chosen.value = null;
    else return false;
    return true;
  };
  listen({
    pointerdown(event: PointerEvent) {
      if (event.button !== 0 || event.offsetX < scale.peek().left) return;
      canvas.setPointerCapture(event.pointerId);
      isDragged = true;
      drag(event);
    },
    pointermove(event: PointerEvent) {
      hovered.value = barAt(event);
      if (isDragged) drag(event);
      const lane = model.peek().lanes[laneAt(scale.peek(), event.offsetY)];
      canvas.title = event.offsetX < scale.peek().left ? (lane?.name ?? "") : "";
    },
    pointerup() {
      isDragged = false;
    },
    pointercancel() {
      isDragged = false;
    },
    pointerleave() {
      hovered.value = null;
    },
    wheel(event: WheelEvent) {
      // Sideways, and over the names, the browser scrolls.
      if (event.shiftKey || event.deltaY === 0 || event.offsetX < scale.peek().left) return;
      event.preventDefault();
      canvas.zoomBy(Math.exp(-event.deltaY * 0.0016), event.offsetX);
    },
    keydown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (!press(event.key)) return;
      event.preventDefault();
      // What the keys choose is what is looked at, wherever the pointer rests.
      hovered.value = null;
    },
  });
  const scrolled = () => (scroll.value = { x: host.scrollLeft, y: host.scrollTop });
  host.addEventListener("scroll", scrolled);
  // A drawing has no elements to point at: whoever has to, such as a test, asks where a turn is.
  canvas.pointOf = (node) => {
    const at = model.peek().bars.findIndex((bar) => bar.turn.node === node);
    if (at < 0) return null;
    return { x: xOf(scale.peek(), at + 0.5), y: yOf(scale.peek(), model.peek().bars[at]!.lane) };
  };
  return () => {
    close();
    host.removeEventListener("scroll", scrolled);
  };
}
