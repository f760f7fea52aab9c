/** The board as it is at this place and time; what can be read is decided by moving things. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { BoardView, WorldView } from "../api";
import { clock } from "../format/values";
import { Empty, Failed } from "../panes/parts";
import { world } from "../state/queries";
import { useQuery } from "../state/query";
import { Display } from "./display";
import { Inputs } from "./inputs";
import { Interrupts } from "./interrupts";
import { Motors, Servos } from "./dials";
import { Pins } from "./pins";
import { Registers } from "./registers";
import { Strip } from "./strip";

export function BoardPane() {
  const { data, error } = useQuery(world);
  return (
    <div class="pane">
      {error !== null && <Failed text={error} />}
      <div class="content" tabIndex={0} role="region" aria-label="The world">{data !== null && <World world={data} />}</div>
    </div>
  );
}

function World({ world: shown }: { world: WorldView }) {
  return (
    <div class="board">
      <Inputs />
      <Interrupts />
      <Outputs world={shown} />
    </div>
  );
}

/** What the program has done to the world. */
export function Outputs({ world: shown }: { world: WorldView }) {
  return (
    <>
      {shown.board !== null && <Board board={shown.board} />}
      <Registers world={shown} />
      {shown.board === null && Object.keys(shown.registers).length === 0 && (
        <Empty title={`The world ${shown.world}`}>It has no state of its own to show.</Empty>
      )}
    </>
  );
}

function Board({ board }: { board: BoardView }) {
  const isBare = Object.keys(board.pins).length === 0 && Object.keys(board.motors).length === 0 && !board.display.on;
  return (
    <>
      <section class="part" aria-label="Clock">
        <h3>Clock</h3>
        <span class="mono clock">{clock(board.clock_us)}</span>
        {board.tone_hz !== null && <span class="badge past">♪ {board.tone_hz} Hz</span>}
      </section>
      <Pins pins={board.pins} />
      <Servos pins={board.pins} />
      <Motors motors={board.motors} />
      <Strip shown={board.pixels} set={board.pixels_set} />
      <Display display={board.display} />
      <Transcript text={board.transcript} />
      {isBare && board.transcript === "" && (
        <p class="faint hint">Pins, motors and pixels appear as the program uses them.</p>
      )}
    </>
  );
}

/** What was printed: the last of it, unless somebody reads what is above. */
function Transcript({ text }: { text: string }) {
  const element = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isAtEnd.current && element.current !== null) element.current.scrollTop = element.current.scrollHeight;
  }, [text]);
  const noteWhere = ({ currentTarget: at }: { currentTarget: HTMLElement }) => {
    isAtEnd.current = at.scrollTop + at.clientHeight > at.scrollHeight - 8;
  };
  if (text === "") return null;
  return (
    <section class="part wide" aria-label="Serial line">
      <h3>Serial line</h3>
      <pre class="transcript" tabIndex={0} ref={element} onScroll={noteWhere}>{text}</pre>
    </section>
  );
}
