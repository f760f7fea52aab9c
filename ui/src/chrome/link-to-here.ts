import { findToken, linkTo } from "../connection/address";
import { say } from "../state/notices";
import { position } from "../state/session";

/** Puts a link to a place (here without) into the address bar and the clipboard. */
export async function copyLink(place?: string): Promise<void> {
  const text = place ?? position.value?.place.text;
  if (text === undefined) return;
  const address = new URL(location.href);
  history.replaceState(null, "", linkTo(address, text));
  try {
    await navigator.clipboard.writeText(linkTo(address, text, findToken(address, sessionStorage)));
    say("info", `A link to ${text} is in the clipboard.`);
  } catch {
    say("info", `The address of the page now leads to ${text}.`);
  }
}
