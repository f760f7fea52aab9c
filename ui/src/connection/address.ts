/**
 * Where the page finds its session: the token, and the place that a link names.
 *
 * Both are behind the `#` of an address, which no browser sends to a server. The token is taken out
 * of there at once and kept in the storage of this tab, which nobody else can read: not other pages,
 * not other tabs, and not other servers on this machine, as would be so with a cookie.
 */

const KEY = "manyworlds.token";

type Store = Pick<Storage, "getItem" | "setItem">;

const fragment = (address: URL) => new URLSearchParams(address.hash.replace(/^#/, ""));

/** The token of the address, or the one that this tab came with. */
export function findToken(address: URL, store: Store): string | null {
  const given = fragment(address).get("token");
  if (given !== null && given !== "") {
    store.setItem(KEY, given);
    return given;
  }
  return store.getItem(KEY);
}

/** The address as it may be shown and remembered: without the token. */
export function withoutToken(address: URL): string {
  const link = new URL(address);
  const rest = fragment(address);
  rest.delete("token");
  link.hash = rest.toString();
  return link.href;
}

/** Whether an address brings a token. */
export function hasToken(address: URL): boolean {
  return fragment(address).has("token");
}

export function socketAddress(address: URL): string {
  const scheme = address.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${address.host}/ws`;
}

/** What is offered when the line is opened: what is spoken, and the token. */
export function protocols(token: string): string[] {
  return ["manyworlds", token];
}

/** The place of `#place=…`, as text that the debugger reads. */
export function linkedPlace(address: URL): string | null {
  const place = fragment(address).get("place");
  return place === null || place.trim() === "" ? null : place.trim();
}

/** The address of the page with a place in it; with a token, it can be opened anywhere. */
export function linkTo(address: URL, place: string, token?: string | null): string {
  const link = new URL(address);
  link.hash = new URLSearchParams({ ...(token ? { token } : {}), place }).toString();
  return link.href;
}
