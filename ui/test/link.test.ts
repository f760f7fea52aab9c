import { describe, expect, it } from "vitest";
import type { Event } from "../src/api";
import { findToken, hasToken, linkTo, linkedPlace, socketAddress, withoutToken } from "../src/connection/address";
import { readFrame } from "../src/connection/frames";
import { HELLO } from "./samples";
import { Link, type Socket, type Status } from "../src/connection/link";

class Fake implements Socket {
  sent: unknown[] = [];
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {}
  say(frame: unknown) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

const LOST = { code: 1006, reason: "" };

function start() {
  const sockets: Fake[] = [];
  const statuses: Status[] = [];
  const events: Event[] = [];
  const waits: { time: number; go: () => void }[] = [];
  const link = new Link({
    connect: () => {
      const socket = new Fake();
      sockets.push(socket);
      return socket;
    },
    onStatus: (status) => statuses.push(status),
    onEvent: (event) => events.push(event),
    later: (time, go) => waits.push({ time, go }),
  });
  link.start();
  return { link, sockets, statuses, events, waits };
}

describe("link", () => {
  it("matches answers with requests, whatever their order", async () => {
    const { link, sockets } = start();
    const socket = sockets[0]!;
    socket.say({ hello: {} });
    const first = link.request({ request: "where" });
    const second = link.request({ request: "frames" });
    expect(socket.sent).toEqual([
      { id: 1, request: { request: "where" } },
      { id: 2, request: { request: "frames" } },
    ]);
    socket.say({ id: 2, reply: { reply: "frames", data: [] } });
    socket.say({ id: 1, error: { message: "no", kind: "unknown" } });
    expect(await second).toEqual([]);
    await expect(first).rejects.toMatchObject({ message: "no", kind: "unknown" });
  });

  it("makes no request before the server has said hello", async () => {
    const { link } = start();
    await expect(link.request({ request: "where" })).rejects.toMatchObject({ kind: "disconnected" });
  });

  it("settles what was waiting when the line breaks, and comes back", async () => {
    const { link, sockets, statuses, waits } = start();
    sockets[0]!.say({ hello: {} });
    const lost = link.request({ request: "where" });
    sockets[0]!.onclose?.(LOST);
    await expect(lost).rejects.toMatchObject({ kind: "disconnected" });
    expect(waits.map((wait) => wait.time)).toEqual([250]);
    waits[0]!.go();
    sockets[1]!.onclose?.(LOST);
    expect(waits[1]!.time).toBe(500);
    waits[1]!.go();
    sockets[2]!.say({ hello: HELLO });
    expect(statuses.at(-1)).toEqual({ state: "open", hello: HELLO });
    sockets[2]!.onclose?.(LOST);
    expect(waits[2]!.time).toBe(250);
  });

  it("does not insist where it is refused", () => {
    const { sockets, statuses, waits } = start();
    sockets[0]!.onclose?.({ code: 4403, reason: "wrong token" });
    expect(statuses.at(-1)).toEqual({ state: "refused", reason: "wrong token" });
    expect(waits).toEqual([]);
  });

  it("cancels a request by its number, once", async () => {
    const { link, sockets } = start();
    const socket = sockets[0]!;
    socket.say({ hello: {} });
    const control = new AbortController();
    const running = link.request({ request: "run", direction: "forward" }, control.signal);
    control.abort();
    expect(socket.sent.at(-1)).toEqual({ cancel: 1 });
    socket.say({ id: 1, reply: { reply: "done" } });
    await running;
  });

  it("passes events on and ignores noise", () => {
    const { sockets, events } = start();
    sockets[0]!.onmessage?.({ data: "not json" });
    sockets[0]!.say(7);
    sockets[0]!.say({ event: { event: "warning", message: "careful" } });
    expect(events).toEqual([{ event: "warning", message: "careful" }]);
    expect(readFrame('{"other": 1}')).toBe(null);
  });
});

describe("address", () => {
  const store = () => {
    const kept = new Map<string, string>();
    return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
  };

  it("keeps the token for when the address has none", () => {
    const kept = store();
    expect(findToken(new URL("http://127.0.0.1:1/#token=abc"), kept)).toBe("abc");
    expect(findToken(new URL("http://127.0.0.1:1/"), kept)).toBe("abc");
    expect(findToken(new URL("http://127.0.0.1:1/"), store())).toBe(null);
    expect(findToken(new URL("http://127.0.0.1:1/?token=abc"), store())).toBe(null);
  });

  it("takes the token out of the address, and nothing else", () => {
    const address = new URL("http://127.0.0.1:1/#token=abc&place=1.3%2B20");
    expect(hasToken(address)).toBe(true);
    expect(withoutToken(address)).toBe("http://127.0.0.1:1/#place=1.3%2B20");
    expect(withoutToken(new URL("http://127.0.0.1:1/#token=abc"))).toBe("http://127.0.0.1:1/");
    expect(hasToken(new URL(withoutToken(address)))).toBe(false);
  });

  it("finds the socket beside the page", () => {
    const address = new URL("http://127.0.0.1:7000/#token=a&place=1.2");
    expect(socketAddress(address)).toBe("ws://127.0.0.1:7000/ws");
  });

  it("reads and writes links to places", () => {
    const here = new URL("http://127.0.0.1:1/#old");
    expect(linkTo(here, "1.3+20")).toBe("http://127.0.0.1:1/#place=1.3%2B20");
    const link = linkTo(here, "1.3+20", "t");
    expect(link).toBe("http://127.0.0.1:1/#token=t&place=1.3%2B20");
    expect(linkedPlace(new URL(link))).toBe("1.3+20");
    expect(linkedPlace(new URL("http://127.0.0.1:1/#place="))).toBe(null);
    expect(linkedPlace(new URL("http://127.0.0.1:1/"))).toBe(null);
  });
});
