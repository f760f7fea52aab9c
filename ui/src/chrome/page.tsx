import { useEffect, useRef } from "preact/hooks";
import { TurnBar } from "../actors/turn-bar";
import { Dialogs } from "../dialogs/dialogs";
import { dialog } from "../state/dialogs";
import { startPanes } from "../panes/arrangement";
import { isMoving } from "../state/session";
import { Timeline } from "../timeline/timeline";
import { Banner } from "./banner";
import { StatusBar } from "./status";
import { Toasts } from "./toasts";
import { Toolbar } from "./toolbar";

export function Page() {
  return (
    <div class="page">
      <Toolbar />
      <Banner />
      <TurnBar />
      <Dock />
      <Timeline />
      <StatusBar />
      <PageToasts />
      <Dialogs />
    </div>
  );
}

/** A dialog covers the page, so messages are in it while it is open. */
function PageToasts() {
  return dialog.value === null ? <Toasts /> : null;
}

function Dock() {
  const element = useRef<HTMLElement>(null);
  useEffect(() => startPanes(element.current!), []);
  return <main class={isMoving.value ? "dock moving" : "dock"} ref={element} aria-label="Panes" />;
}
