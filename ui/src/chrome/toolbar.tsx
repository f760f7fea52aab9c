import icon from "../assets/icon.svg";
import { activity, position, status } from "../state/session";
import { hasSource, SPEEDS, speed, theme, wantsLines } from "../state/preferences";
import { CommandButton, IconButton } from "./button";
import { DeviceBadge } from "./device";

/** What one does most: move both ways in time, decide, explore. */
export function Toolbar() {
  const here = position.value;
  const isOpen = status.value.state === "open";
  const busy = activity.value !== null;
  const still = !isOpen || busy || here === null;
  const atEnd = still || here.ended !== null;
  const atStart = still || here.place.text === "0.0";
  return (
    <div class="toolbar" role="toolbar" aria-label="Debugger">
      <div class="brand">
        <img src={icon} alt="" />
        <span class="name">Manyworlds</span> <Program />
      </div>
      <div class="group">
        <CommandButton id="continue-back" icon="play-back" disabled={atStart} />
        <CommandButton id="over-back" icon="over-back" disabled={atStart} />
        <CommandButton id="into-back" icon="into-back" disabled={atStart} />
        <CommandButton id="out-back" icon="out-back" disabled={atStart} />
      </div>
      <div class="group">
        <CommandButton id="continue" icon="play" disabled={atEnd} />
        <CommandButton id="over" icon="over" disabled={atEnd} />
        <CommandButton id="into" icon="into" disabled={atEnd} />
        <CommandButton id="out" icon="out" disabled={atEnd} />
      </div>
      <div class="group">
        <CommandButton id="play" icon="clock" disabled={atEnd} />
        <Speed />
      </div>
      <div class="group">
        <CommandButton id="restart" icon="restart" disabled={atStart} />
        <CommandButton id="stop" icon="stop" disabled={!busy} />
        <StepUnit />
      </div>
      <div class="group">
        <CommandButton id="suggest" icon="suggest" words="Suggest paths" disabled={still} />
        <CommandButton id="mock" icon="mock" words="Mock" disabled={still} />
        <CommandButton id="branch" icon="branch" words="Branch" disabled={still} />
        <CommandButton id="bookmark" icon="bookmark" disabled={still} />
      </div>
      <span class="grow" />
      <DeviceBadge />
      <CommandButton id="palette" icon="commands" />
      <IconButton
        icon={theme.value === "dark" ? "sun" : "moon"}
        label={theme.value === "dark" ? "Use light colours" : "Use dark colours"}
        onClick={() => (theme.value = theme.value === "dark" ? "light" : "dark")}
      />
    </div>
  );
}

function Program() {
  const now = status.value;
  const name = now.state === "open" ? now.hello.name : undefined;
  if (name === undefined) return null;
  return (
    <span class="program" title={name}>
      {name.split("/").at(-1)}
    </span>
  );
}

/** How fast a program is played. */
function Speed() {
  return (
    <select
      class="speed"
      aria-label="Speed of playing"
      title="How fast the board's clock goes when playing"
      value={speed.value}
      disabled={activity.value !== null}
      onChange={(event) => (speed.value = Number(event.currentTarget.value))}
    >
      {SPEEDS.map((percent) => (
        <option key={percent} value={percent}>
          {percent / 100}×
        </option>
      ))}
    </select>
  );
}

function StepUnit() {
  if (!hasSource.value) return null;
  const lines = wantsLines.value;
  return (
    <button
      type="button"
      class="plain words"
      title="What a step is: a line of the source, or one WebAssembly instruction"
      aria-label={lines ? "Steps are lines" : "Steps are instructions"}
      onClick={() => (wantsLines.value = !lines)}
    >
      {lines ? "lines" : "instructions"}
    </button>
  );
}
