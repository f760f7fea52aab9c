import { signal } from "@preact/signals";
import { beforeEach, describe, expect, it } from "vitest";
import { LinkError, type Link } from "../src/connection/link";
import { clearLog, dismiss, log, note, say, toasts } from "../src/state/notices";
import { query } from "../src/state/query";
import { activity, attach, during, onEvent, onStatus, position, revision, standing } from "../src/state/session";
import { HELLO, somewhere } from "./samples";

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("session state", () => {
  it("follows what any front end did", () => {
    const before = revision.value;
    onEvent({ event: "changed", by: "terminal", position: somewhere("0.1+3") });
    expect(position.value?.place.text).toBe("0.1+3");
    expect(revision.value).toBe(before + 1);
  });

  it("knows how the link to a device is between two changes", () => {
    const device = { name: "board", address: "tcp:127.0.0.1:1", run_on: "device" } as const;
    const link = { state: "interrupted", why: "connection refused" } as const;
    onEvent({ event: "changed", by: "terminal", position: somewhere("0.1+3") });
    onEvent({ event: "link", ...device, link });
    expect(position.value?.place.text).toBe("0.1+3");
    expect(position.value?.device).toEqual({ ...device, link });
    expect(toasts.value.at(-1)?.text).toBe("The link to board is interrupted: connection refused");
    onEvent({ event: "link", ...device, link: { state: "connected" } });
    expect(position.value?.device?.link.state).toBe("connected");
    expect(toasts.value.at(-1)?.text).toBe("The link to board is connected again.");
  });

  it("shows how far an operation is, and ends it", async () => {
    let finish = () => {};
    const work = during("Running", (stop) => {
      stop.addEventListener("abort", () => finish());
      return new Promise<void>((resolve) => (finish = resolve));
    });
    onEvent({ event: "progress", done: 5, goal: 10 });
    expect(activity.value).toMatchObject({ title: "Running", done: 5, goal: 10 });
    activity.value?.cancel();
    await work;
    expect(activity.value).toBe(null);
  });
});

describe("what is under way", () => {
  const stopped: string[] = [];
  beforeEach(() => {
    attach({ cancelCurrent: () => stopped.push("current"), request: () => new Promise(() => {}) } as unknown as Link);
    onStatus({ state: "open", hello: HELLO });
    stopped.length = 0;
  });

  it("is known to a page that comes later, which can stop it", () => {
    onStatus({ state: "open", hello: { ...HELLO, busy: "page 1" } });
    expect(activity.value?.title).toBe("page 1 is at work");
    activity.value?.cancel();
    expect(stopped).toEqual(["current"]);
    onEvent({ event: "changed", by: "page 1", position: somewhere("0.9") });
    expect(activity.value).toBe(null);
  });

  it("is followed, and then one is where it has ended", () => {
    onEvent({ event: "changed", by: "terminal", position: somewhere("0.1") });
    onEvent({ event: "passing", position: somewhere("0.5") });
    expect(activity.value?.title).toBe("Another front end is at work");
    expect([position.value?.place.text, standing.value?.place.text]).toEqual(["0.1", "0.5"]);
    onEvent({ event: "changed", by: "terminal", position: somewhere("0.9") });
    expect([position.value?.place.text, standing.value?.place.text]).toEqual(["0.9", "0.9"]);
    expect(activity.value).toBe(null);
  });

  it("is this page's own until it is answered", async () => {
    let finish = () => {};
    const work = during("Running", () => new Promise<void>((resolve) => (finish = resolve)));
    onEvent({ event: "passing", position: somewhere("0.5") });
    onEvent({ event: "changed", by: "page 1", position: somewhere("0.9") });
    expect(activity.value?.title).toBe("Running");
    finish();
    await work;
    expect(activity.value).toBe(null);
  });

  it("is asked about anew while it lasts, if that is to be seen in motion", async () => {
    const asked = { still: 0, moving: 0 };
    const stops = [
      query(() => true, () => Promise.resolve(++asked.still)).watch(),
      query(() => true, () => Promise.resolve(++asked.moving), () => true).watch(),
    ];
    await settled();
    onEvent({ event: "passing", position: somewhere("0.5") });
    await settled();
    expect(asked).toEqual({ still: 1, moving: 2 });
    for (const stop of stops) stop();
  });
});

describe("queries", () => {
  beforeEach(() => onStatus({ state: "open", hello: HELLO }));

  it("ask while watched, and anew after a change", async () => {
    let asked = 0;
    const one = query(() => true, () => Promise.resolve(++asked));
    onEvent({ event: "changed", by: "x", position: somewhere("0.0") });
    expect(asked).toBe(0);
    const stop = one.watch();
    await settled();
    expect(one.answer.value).toEqual({ data: 1, error: null });
    onEvent({ event: "changed", by: "x", position: somewhere("0.0") });
    await settled();
    expect(one.answer.value.data).toBe(2);
    stop();
    onEvent({ event: "changed", by: "x", position: somewhere("0.0") });
    await settled();
    expect(asked).toBe(2);
  });

  it("have one question under way, and then only the last", async () => {
    const subject = signal(1);
    const asked: number[] = [];
    const answers: (() => void)[] = [];
    const one = query(
      () => subject.value,
      (about) => {
        asked.push(about);
        return new Promise<number>((resolve) => answers.push(() => resolve(about)));
      },
    );
    const stop = one.watch();
    subject.value = 2;
    subject.value = 3;
    expect(asked).toEqual([1]);
    answers[0]!();
    await settled();
    expect(asked).toEqual([1, 3]);
    answers[1]!();
    await settled();
    expect(one.answer.value.data).toBe(3);
    stop();
  });

  it("take no answer once there is nothing to ask about", async () => {
    const subject = signal<number | null>(1);
    let answer = () => {};
    const one = query(
      () => subject.value,
      (about) => new Promise<number>((resolve) => (answer = () => resolve(about))),
    );
    const stop = one.watch();
    subject.value = null;
    answer();
    await settled();
    expect(one.answer.value.data).toBe(null);
    stop();
  });

  it("say what went wrong", async () => {
    const one = query(() => true, () => Promise.reject(new Error("no such thing")));
    const stop = one.watch();
    await settled();
    expect(one.answer.value).toEqual({ data: null, error: "no such thing" });
    stop();
  });
});

describe("notices", () => {
  it("says the same thing once, and logs it each time", () => {
    clearLog();
    say("error", "no");
    say("error", "no");
    expect(toasts.value.filter((toast) => toast.text === "no")).toHaveLength(1);
    expect(log.value).toHaveLength(2);
    dismiss(toasts.value.at(-1)!.id);
    expect(toasts.value.some((toast) => toast.text === "no")).toBe(false);
  });

  it("keeps the log within bounds", () => {
    clearLog();
    for (let i = 0; i < 2100; i++) note("info", String(i));
    expect(log.value).toHaveLength(2000);
    expect(log.value.at(-1)?.text).toBe("2099");
  });
});

describe("other front ends", () => {
  it("can be stopped while they are at work", () => {
    let cancelled = 0;
    const isWaiting = false;
    const request = () => Promise.reject(new LinkError("down", "disconnected"));
    attach({ isWaiting, request, cancelCurrent: () => cancelled++ } as unknown as Link);
    onEvent({ event: "progress", done: 3, goal: null });
    expect(activity.value).toMatchObject({ title: "Another front end is at work", done: 3 });
    activity.value?.cancel();
    expect(cancelled).toBe(1);
    onEvent({ event: "changed", by: "terminal", position: somewhere("0.1") });
    expect(activity.value).toBe(null);
  });
});
