/** Whose turn it is, and where one is over, who can have the next one. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { NextTurn } from "../api";
import { CommandButton } from "../chrome/button";
import { Menu, type MenuItem } from "../editor/menu";
import { many } from "../format/values";
import { giveTurn } from "../state/actions";
import { activity, position, standing } from "../state/session";
import { partFaults } from "./inbox";

export function TurnBar() {
  const here = standing.value;
  if (here?.actor == null) return <div />;
  const still = activity.value !== null || position.value === null;
  const { turns, faults } = partFaults(here.next_turns ?? []);
  const isUnderWay = here.next_turns === undefined && here.ended === null;
  return (
    <section class="turn-bar" aria-label="Turns">
      <CommandButton id="turn-back" icon="turn-back" words="Previous turn" disabled={still || here.place.text === "0.0"} />
      <CommandButton id="turn" icon="turn" words="Next turn" disabled={still || here.ended !== null} />
      <CommandButton id="turn-end" icon="turn-end" words="End of turn" disabled={still || !isUnderWay} />
      <span class="whose" role="status">
        {words(here.actor.name, here.actor.handles, isUnderWay, here.ended !== null)}
      </span>
      <Choices turns={turns} disabled={still} />
      {faults.length > 0 && <More text={`${many(faults.length, "fault")}…`} label="Let something go wrong" items={itemsOf(faults)} disabled={still} />}
    </section>
  );
}

function words(name: string, handles: string | null, isUnderWay: boolean, isEnded: boolean): string {
  if (isEnded) return "Nobody has a turn to take";
  if (!isUnderWay) return "Who is next?";
  return handles === null ? `${name} begins` : `${name} handles ${handles}`;
}

const itemsOf = (turns: readonly NextTurn[]): MenuItem[] => turns.map((turn) => ({ title: turn.label, run: () => giveTurn(turn.key) }));

/** Each that can be next with a button, as many as there is room for; the others in a menu. */
function Choices({ turns, disabled }: { turns: readonly NextTurn[]; disabled: boolean }) {
  const row = useRef<HTMLDivElement>(null);
  const [fit, setFit] = useState(turns.length);
  const keys = turns.map((turn) => turn.key).join();
  useLayoutEffect(() => {
    const element = row.current!;
    // What does not fit wraps to a line that is not seen.
    const measure = () => {
      const buttons = [...element.children] as HTMLElement[];
      setFit(buttons.filter((button) => button.offsetTop <= (buttons[0]?.offsetTop ?? 0)).length);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [keys]);
  return (
    <>
      <div class="choices" ref={row} role="group" aria-label="Who can have the next turn">
        {turns.map((turn, at) => (
          <button
            key={turn.key}
            type="button"
            class={`turn ${at < fit ? "" : "unseen"}`}
            title={`Next: ${turn.label}`}
            disabled={disabled}
            onClick={() => void giveTurn(turn.key)}
          >
            {turn.label}
          </button>
        ))}
      </div>
      {fit < turns.length && <More text={`${turns.length - fit} more…`} label="All that can be next" items={itemsOf(turns)} disabled={disabled} />}
    </>
  );
}

/** A button with a menu. */
function More({ text, label, items, disabled }: { text: string; label: string; items: MenuItem[]; disabled: boolean }) {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  return (
    <>
      <button
        type="button"
        class="more"
        title={label}
        aria-label={`${label}: ${text}`}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        disabled={disabled}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setAt({ x: box.left, y: box.bottom + 2 });
        }}
      >
        {text}
      </button>
      {at !== null && <Menu x={at.x} y={at.y} items={items} onClose={() => setAt(null)} />}
    </>
  );
}
