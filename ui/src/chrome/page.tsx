import { useEffect, useRef } from "preact/hooks";
import { Dialogs } from "../dialogs/dialogs";
import { startPanes } from "../panes/arrangement";
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
      <Dock />
      <Timeline />
      <StatusBar />
      <Toasts />
      <Dialogs />
    </div>
  );
}

function Dock() {
  const element = useRef<HTMLElement>(null);
  useEffect(() => startPanes(element.current!), []);
  return <main class="dock" ref={element} aria-label="Panes" />;
}
