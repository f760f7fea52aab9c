import { describe, expect, it } from "vitest";
import type { ActorView, MessageRef, MessageView, TurnView } from "../src/api";
import { canBeNext, partFaults, queuesOf } from "../src/actors/inbox";
import { modelOf, partOf } from "../src/space-time/model";
import { columnAt, laneAt, laneHeight, namedLanes, xOf, yOf } from "../src/space-time/scale";

const waiting = (from: number, number: number, text: string): MessageView => ({
  from,
  sender: `actor ${from}`,
  number,
  text,
  awaited: false,
  first: false,
});

describe("inboxes", () => {
  it("are by sender, oldest first", () => {
    const queues = queuesOf([waiting(2, 1, "double(12)"), waiting(3, 1, "double(33)"), waiting(2, 2, "getResult")]);
    expect(queues.map((queue) => [queue.from, queue.waiting.map((one) => one.text)])).toEqual([
      [2, ["double(12)", "getResult"]],
      [3, ["double(33)"]],
    ]);
  });

  it("say what can be next", () => {
    const actor = { id: 1, standing: "idle" } as ActorView;
    const next = [{ key: "deliver 1 from 2", label: "", actor: 1, fault: false }];
    expect([canBeNext(actor, 2, next), canBeNext(actor, 3, next)]).toEqual([true, false]);
    expect([canBeNext(actor, 3, []), canBeNext({ ...actor, standing: "fresh" }, 3, [])]).toEqual([true, false]);
  });

  it("have faults apart", () => {
    const turn = { key: "deliver 1 from 2", label: "math: double from client1", actor: 1, fault: false };
    const fault = { ...turn, key: "lose 1 from 2", fault: true };
    expect(partFaults([turn, fault])).toEqual({ turns: [turn], faults: [fault] });
  });
});

const message = (actor: number, number: number, text: string): MessageRef => ({ actor, number, text });
const turn = (node: string, actor: number, begins: number, more: Partial<TurnView> = {}): TurnView => ({
  node,
  begins,
  ends: begins + 10,
  actor,
  name: ["main", "math", "client"][actor]!,
  label: "",
  fault: false,
  handles: null,
  sends: [],
  is_current: false,
  ...more,
});

describe("space and time", () => {
  const view = {
    omitted: 1,
    turns: [
      turn("0.1", 2, 10, { handles: message(0, 1, "start"), sends: [message(1, 1, "double(12)"), message(1, 2, "getResult")] }),
      turn("0.2", 1, 20, { handles: message(2, 1, "double(12)"), is_current: true }),
    ],
  };
  const model = modelOf(view, [{ id: 3, name: "idler" }]);

  it("has a lane for everybody, by address", () => {
    expect(model.lanes.map((lane) => lane.name)).toEqual(["actor 0", "math", "client", "idler"]);
    expect(model.current).toBe(1);
  });

  it("has arrows from who sends to who handles, open ones for what waits", () => {
    expect(model.arrows.map(({ from, to, text }) => [from, to, text])).toEqual([
      [0, 1, "double(12)"],
      [0, -1, "getResult"],
      [-1, 0, "start"],
    ]);
  });

  it("draws a message that is handled twice twice", () => {
    const twice = modelOf({ omitted: 0, turns: [view.turns[0]!, view.turns[1]!, turn("0.3", 1, 30, { handles: message(2, 1, "double(12)") })] }, []);
    expect(twice.arrows.filter((arrow) => arrow.text === "double(12)").map((arrow) => arrow.to)).toEqual([1, 2]);
  });

  it("knows how much of a turn is behind", () => {
    expect(partOf(view.turns[0]!, 15)).toBe(0.5);
    expect(partOf({ ...view.turns[0]!, ends: 10 }, 11)).toBe(1);
  });

  it("finds columns and lanes where they are drawn", () => {
    const scale = { column: 20, lane: laneHeight(4, 100), left: 60, top: 16, scrollX: 33, scrollY: 0 };
    expect(columnAt(scale, xOf(scale, 7))).toBe(7);
    expect(laneAt(scale, yOf(scale, 2))).toBe(2);
  });

  it("names the lanes that there is room for, those that matter first", () => {
    expect(namedLanes(4, 12, 10, [2])).toEqual([2, 0, 1, 3]);
    expect(namedLanes(6, 5, 10, [3])).toEqual([3, 0, 5]);
  });

  it("keeps lanes apart however many there are", () => {
    expect(laneHeight(3, 300)).toBeGreaterThan(40);
    expect(laneHeight(300, 300)).toBeGreaterThan(10);
  });
});
