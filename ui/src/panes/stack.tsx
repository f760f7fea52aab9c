import type { ComponentChildren } from "preact";
import type { Frame } from "../api";
import { hex } from "../format/values";
import { chosenFrame, frames, sourceFrames } from "../state/queries";
import { useQuery } from "../state/query";
import { hasSource } from "../state/preferences";
import { position } from "../state/session";
import { Empty, Failed } from "./parts";

/** The functions under way, innermost first, with the operand stack of the machine. */
export function StackPane() {
  return <div class="pane">{hasSource.value ? <SourceStack /> : <MachineStack />}</div>;
}

function SourceStack() {
  const { data, error } = useQuery(sourceFrames);
  const operands = useQuery(frames).data;
  if (error !== null) return <Failed text={error} />;
  if (data !== null && data.length === 0) return <Over />;
  return (
    <div class="content">
      <ul class="lines" aria-label="Functions under way">
        {data?.map((frame, index) => (
          <FrameRow key={index} index={index} name={frame.function}>
            {frame.inlined && <span class="badge">inlined</span>}
            <span class="soft mono">
              {frame.file === null ? (frame.offset === null ? "" : hex(frame.offset)) : `${frame.file.split("/").at(-1)}:${frame.line}`}
            </span>
          </FrameRow>
        ))}
      </ul>
      {operands?.[0] !== undefined && <Operands frame={operands[0]} />}
    </div>
  );
}

function MachineStack() {
  const { data, error } = useQuery(frames);
  if (error !== null) return <Failed text={error} />;
  if (data !== null && data.length === 0) return <Over />;
  return (
    <div class="content">
      <ul class="lines" aria-label="Functions under way">
        {data?.map((frame, index) => (
          <FrameRow key={index} index={index} name={frame.function}>
            <code class="soft">{frame.instruction}</code>
            {frame.offset !== null && <span class="soft mono">{hex(frame.offset)}</span>}
          </FrameRow>
        ))}
      </ul>
      {data?.[0] !== undefined && <Operands frame={data[0]} />}
    </div>
  );
}

/** A function under way, to be chosen, and what is said about it. */
function FrameRow({ index, name, children }: { index: number; name: string; children: ComponentChildren }) {
  const chosen = chosenFrame.value === index;
  return (
    <li class={chosen ? "frame chosen-frame" : "frame"}>
      <button type="button" class="link mono grow" aria-pressed={chosen} onClick={() => (chosenFrame.value = index)}>
        {name}
      </button>
      {children}
    </li>
  );
}

function Over() {
  if (position.value?.ended === null) return <Empty title="Nothing is being executed">The last turn is over here: say who is next.</Empty>;
  return <Empty title="Nothing is being executed">The program has ended here. Go back to look around in it.</Empty>;
}

function Operands({ frame }: { frame: Frame }) {
  return (
    <div class="section">
      <h3>Operand stack, lowest first</h3>
      <div class="operands mono">
        {frame.operands.length === 0 ? <span class="faint">empty</span> : frame.operands.map((slot, index) => <span key={index}>{String(slot)}</span>)}
      </div>
    </div>
  );
}
