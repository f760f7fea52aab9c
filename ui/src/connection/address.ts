/** Where the page finds its session: the token, and the place that a link names. */

const KEY = "manyworlds.token";

type Store = Pick<Storage, "getItem" | "setItem">;

/** The token of the address, or the one that this tab came with. */
export function findToken(address: URL, store: Store): string | null {
  const given = address.searchParams.get("token");
  if (given !== null && given !== "") {
    store.setItem(KEY, given);
    return given;
  }
  return store.getItem(KEY);
}

export function socketAddress(address: URL, token: string): string {
  const scheme = address.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${address.host}/ws?token=${encodeURIComponent(token)}`;
}

/** The place of `#place=…`, as text that the debugger reads. */
export function linkedPlace(hash: string): string | null {
  const place = new URLSearchParams(hash.replace(/^#/, "")).get("place");
  return place === null || place.trim() === "" ? null : place.trim();
}

/** The address of the page with a place in it. */
export function linkTo(address: URL, place: string): string {
  const link = new URL(address);
  link.hash = `place=${encodeURIComponent(place)}`;
  return link.href;
}

/** What the server says to a page with this token, if it does not want it. */
export async function whyRefused(address: URL, token: string): Promise<string | null> {
  try {
    const answer = await fetch(`${address.origin}/?token=${encodeURIComponent(token)}`);
    return answer.status === 403 ? await answer.text() : null;
  } catch {
    // Nobody is there, so nobody refuses anything.
    return null;
  }
}
