/** The same turns as a list, for keyboards and screen readers; only the rows in view exist. */
import { useEffect, useRef } from "preact/hooks";
import { slide } from "../state/actions";
import { useView } from "../tree/rows";
import { describe } from "./model";
import { model } from "./state";

const ROW = 28;
const AROUND = 12;

export function TurnList() {
  const { bars, lanes, current } = model.value;
  const element = useRef<HTMLDivElement>(null);
  const view = useView(element);
  useEffect(() => {
    const host = element.current!;
    const top = current * ROW;
    if (top < host.scrollTop) host.scrollTop = Math.max(0, top);
    else if (top + ROW > host.scrollTop + host.clientHeight) host.scrollTop = top + ROW - host.clientHeight;
  }, [current]);
  const first = Math.max(0, Math.floor(view.top / ROW) - AROUND);
  const last = Math.min(bars.length, Math.ceil((view.top + view.height) / ROW) + AROUND);
  return (
    <div class="turn-list" ref={element} tabIndex={0} role="region" aria-label="Turns as a list">
      <div class="space" ref={(space) => space?.style.setProperty("height", `${bars.length * ROW}px`)}>
        <ol class="window" ref={(window) => window?.style.setProperty("transform", `translateY(${first * ROW}px)`)}>
          {bars.slice(first, last).map((bar, index) => {
            const at = first + index;
            return (
              <li key={bar.turn.node} class={at > current ? "ahead" : ""} aria-current={at === current ? "step" : undefined} aria-setsize={bars.length} aria-posinset={at + 1}>
                <button type="button" class="link" title={`Slide to ${bar.turn.node}`} onClick={() => void slide(bar.turn.node)}>
                  {describe(bar, lanes)}
                </button>
                <span class="grow" />
                {at === current && <span class="badge past">you are here</span>}
                <span class="mono faint">{bar.turn.node}</span>
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}
