import { describe, expect, it } from "vitest";
import type { AutomatonState, AutomatonTransition, AutomatonView, PropertyEvent, SliceMove, VerdictChange } from "../src/api";
import { draw, linesOf, shapeKey, through, type Box } from "../src/properties/layout";
import { changesAlong, describeState, describeTransition, lookOf, moveWords, nameOfFile, violationWords } from "../src/properties/model";
import { patient } from "../src/state/patient";
import { onStatus, revision } from "../src/state/session";
import { HELLO } from "./samples";

const state = (name: string, more: Partial<AutomatonState> = {}): AutomatonState => ({
  name,
  accepting: true,
  pending: false,
  is_final: false,
  action: null,
  slices: 0,
  former: false,
  ...more,
});

const transition = (from: number, to: number, more: Partial<AutomatonTransition> = {}): AutomatonTransition => ({
  from,
  to,
  event: "before event queue_push(queue)",
  guard: null,
  on: "success",
  code: null,
  action: null,
  last: false,
  ...more,
});

/** The queue that must not overflow. */
const QUEUE: AutomatonView = {
  property: 1,
  name: "queue-overflow",
  place: { node: "0.0", count: 3, text: "0.0+3" },
  verdict: "holds",
  parameters: ["queue"],
  states: [state("init", { slices: 1 }), state("queue_ready"), state("sink", { accepting: false })],
  transitions: [
    transition(0, 1, { event: "after event queue_new(queue, size)", code: "max = size" }),
    transition(1, 1, { guard: "return N < max", code: "N = N + 1" }),
    transition(1, 2, { guard: "return N < max", on: "failure" }),
    transition(1, 1, { event: "before event queue_pop(queue)" }),
  ],
};

const boxOf = ({ x, y, width, height }: Box) => ({ left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 });
const numbers = (path: string) => path.match(/-?[\d.]+/g)!.map(Number);

describe("the automaton", () => {
  it("has the colours of where its slices are and were", () => {
    expect(lookOf(state("a", { slices: 2, former: true }))).toBe("good");
    expect(lookOf(state("a", { slices: 1, accepting: false }))).toBe("bad");
    expect(lookOf(state("a", { former: true, accepting: false }))).toBe("former");
    expect(lookOf(state("a", { accepting: false }))).toBe("forbidden");
    expect(lookOf(state("a"))).toBe("plain");
  });

  it("says of each part what it is", () => {
    expect(describeState(QUEUE.states[0]!, true)).toBe("init: accepting, where slices begin, 1 slice here now");
    expect(describeState(state("open", { pending: true, is_final: true }), false)).toBe(
      "open: accepting, waits for something, slices that come here are forgotten",
    );
    expect(describeTransition(QUEUE, QUEUE.transitions[2]!)).toBe("queue_ready → sink: before event queue_push(queue) if not (N < max)");
    expect(describeTransition(QUEUE, QUEUE.transitions[0]!)).toBe("init → queue_ready: after event queue_new(queue, size) { max = size }");
    expect(linesOf(transition(0, 1, { on: "timeout", guard: "x" }))).toEqual(["before queue_push(queue)", "[time is up]"]);
  });

  it("breaks long events before what they are about, and cuts what is still too long", () => {
    const event = "before event primitive chip_digital_write(pin, value)";
    expect(linesOf(transition(0, 1, { event }))).toEqual(["before primitive", "chip_digital_write(pin, v…"]);
    const guard = "pin == 13 && value == 1 && isReady";
    expect(linesOf(transition(0, 1, { guard }))[1]).toBe("[pin == 13 && value == 1 …");
  });

  it("is placed without one state on another, and within its extent", () => {
    const { states, ways, width, height } = draw(QUEUE);
    const boxes = states.map(boxOf);
    for (const box of boxes) expect(box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height).toBe(true);
    boxes.forEach((one, at) => {
      for (const other of boxes.slice(0, at)) expect(one.left > other.right || other.left > one.right || one.top > other.bottom || other.top > one.bottom).toBe(true);
    });
    expect(ways).toHaveLength(4);
    for (const way of ways) expect(numbers(way.path).every(Number.isFinite)).toBe(true);
  });

  it("leads from a state to itself beside it, with each word on its own", () => {
    const { states, ways } = draw(QUEUE);
    const ready = boxOf(states[1]!);
    const [push, pop] = [ways[1]!, ways[3]!];
    for (const { path, label } of [push, pop]) {
      const [x, y] = numbers(path);
      expect(x).toBeCloseTo(ready.right, 0);
      expect(numbers(path).slice(-2)[0]).toBeCloseTo(ready.right, 0);
      expect(y).toBeGreaterThan(ready.top);
      expect(label.x).toBeGreaterThan(ready.right);
    }
    expect(Math.abs(push.label.y - pop.label.y)).toBeGreaterThan(20);
  });

  it("stays where it is while slices move", () => {
    const moved = { ...QUEUE, states: QUEUE.states.map((one) => ({ ...one, slices: 7, former: true })) };
    expect(shapeKey(moved)).toBe(shapeKey(QUEUE));
    expect(shapeKey({ ...QUEUE, transitions: QUEUE.transitions.slice(1) })).not.toBe(shapeKey(QUEUE));
  });

  it("can be empty, and large", () => {
    expect(draw({ states: [], transitions: [] }).ways).toEqual([]);
    const states = Array.from({ length: 60 }, (_, at) => state(`state_${at}`));
    const transitions = states.flatMap((_, at) => [transition(at, (at * 7 + 1) % 60), transition(at, at)]);
    expect(draw({ states, transitions }).ways).toHaveLength(120);
  });

  it("has smooth lines", () => {
    expect(through([{ x: 0, y: 0 }, { x: 4, y: 0 }])).toBe("M0 0L4 0");
    expect(through([{ x: 0, y: 0 }, { x: 4, y: 0 }, { x: 8, y: 4 }, { x: 8, y: 9 }])).toBe("M0 0Q4 0 6 2Q8 4 8 9");
  });
});

const MOVE: SliceMove = {
  slice: "queue = 1024",
  instance: [{ name: "queue", value: "1024" }],
  from: "queue_ready",
  to: "sink",
  accepting: false,
  transition: 2,
  guard: { text: "return N < max", holds: false, values: [{ name: "N", value: "16" }, { name: "max", value: "16" }] },
  variables: [],
  created: false,
  forgotten: false,
};

const EVENT: PropertyEvent = {
  place: { node: "0.2", count: 812, text: "0.2+7" },
  property: 1,
  name: "queue-overflow",
  event: "before event queue_push(queue)",
  values: [{ name: "queue", value: "1024" }],
  moves: [{ ...MOVE, from: "a", to: "b", accepting: true }, MOVE],
  faults: [],
};

describe("words", () => {
  it("say what became of a slice", () => {
    expect(moveWords(MOVE)).toBe("<queue = 1024>: sink (from queue_ready), not accepting");
    expect(moveWords({ ...MOVE, instance: [], to: "queue_ready", accepting: true, created: true, forgotten: true })).toBe("queue_ready, new, forgotten");
  });

  it("say why a property is violated", () => {
    expect(violationWords(EVENT)).toBe(
      "queue-overflow is violated by before queue_push(queue): <queue = 1024>: sink (from queue_ready), not accepting, as N < max is false with N = 16, max = 16",
    );
    expect(violationWords({ ...EVENT, moves: [] })).toBe("queue-overflow is violated by before queue_push(queue)");
  });

  it("call a property as its file", () => {
    expect(nameOfFile("C:\\properties\\queue-overflow.mwp")).toBe("queue-overflow");
    expect(nameOfFile("plain")).toBe("plain");
  });
});

describe("verdicts along a universe", () => {
  const change = (node: string, count: number, verdict: VerdictChange["verdict"]): VerdictChange => ({
    property: 1,
    place: { node, count, text: `${node}+${count}` },
    verdict,
  });

  it("are those of its own nodes for the worse, in the order of time", () => {
    const changes = [change("0.2", 90, "inconclusive"), change("3.1", 4, "violated"), change("0.0", 12, "violated"), change("0.1", 50, "holds")];
    expect(changesAlong(changes, [{ node: "0.1" }, { node: "0.2" }]).map(({ count, verdict }) => `${count} ${verdict}`)).toEqual([
      "12 violated",
      "90 inconclusive",
    ]);
  });
});

describe("what may take long", () => {
  const settled = () => new Promise((resolve) => setTimeout(resolve));

  it("is asked anew by itself only as long as that is quick", async () => {
    onStatus({ state: "open", hello: HELLO });
    let [clock, takes, asked] = [0, 10, 0];
    const events = patient(
      () => "queue",
      async () => {
        clock += takes;
        return ++asked;
      },
      () => clock,
    );
    const stop = events.watch();
    await settled();
    takes = 5_000;
    revision.value++;
    await settled();
    expect([events.answer.value.data, events.isOld.value]).toEqual([2, false]);
    revision.value++;
    await settled();
    expect([events.answer.value.data, events.isOld.value]).toEqual([2, true]);
    events.again();
    await settled();
    expect([events.answer.value.data, events.isOld.value]).toEqual([3, false]);
    stop();
  });
});
