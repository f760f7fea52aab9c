import { computed, effect } from "@preact/signals";
import { render } from "preact";
import "dockview-core/dist/styles/dockview.css";
import "./styles/colours.css";
import "./styles/base.css";
import "./styles/chrome.css";
import "./styles/panes.css";
import "./styles/board.css";
import "./styles/actors.css";
import "./styles/space-time.css";
import "./styles/tree.css";
import "./styles/graph.css";
import "./styles/properties.css";
import "./styles/code.css";
import "./styles/timeline.css";
import { Page } from "./chrome/page";
import { listenToKeys } from "./chrome/listen";
import { findToken, hasToken, linkedPlace, protocols, socketAddress, withoutToken } from "./connection/address";
import { loadFiles } from "./editor/files";
import { Link, type Socket } from "./connection/link";
import { slide } from "./state/actions";
import { theme } from "./state/preferences";
import { attach, onEvent, onStatus, position, status } from "./state/session";

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

const address = new URL(location.href);
const token = findToken(address, sessionStorage);
history.replaceState(null, "", withoutToken(address));

if (token === null) {
  onStatus({ state: "refused", reason: "" });
} else {
  const connect = () => new WebSocket(socketAddress(address), protocols(token)) as Socket;
  const link = new Link({ connect, onStatus, onEvent });
  attach(link);
  link.start();
}

/** A link to a moment reopens at that moment: once when the page opens, and when the link changes. */
let opened = false;
const goToLinked = () => {
  const now = new URL(location.href);
  // Somebody opens the address of another session here: begin anew, with its token.
  if (hasToken(now)) return location.reload();
  const place = linkedPlace(now);
  if (place !== null) void slide(place);
};
/** The actor that runs: each may have a program of its own. */
const running = computed(() => position.value?.actor?.id ?? null);
effect(() => {
  void running.value;
  if (status.value.state === "open") void loadFiles();
});
effect(() => {
  if (status.value.state !== "open" || opened) return;
  opened = true;
  goToLinked();
});
addEventListener("hashchange", goToLinked);

listenToKeys();
render(<Page />, document.getElementById("app")!);
