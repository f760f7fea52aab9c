/** The log of what a property knows of: all of it, or what moved one slice. Each event leads to its moment. */
import { useEffect, useRef } from "preact/hooks";
import type { PropertyEvent, SliceMove } from "../api";
import { count, many } from "../format/values";
import { Empty, Failed, PlaceLink } from "../panes/parts";
import { useQuery } from "../state/query";
import { eventWords, guardWords, moveWords, named } from "./model";
import { events, slice } from "./state";

export function Events() {
  const { data, error } = useQuery(events);
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [data]);
  return (
    <>
      {events.isOld.value && (
        <div class="bar">
          <span class="grow soft">As it was before: it took long to find out</span>
          <button type="button" class="link" onClick={() => events.again()}>
            look again
          </button>
        </div>
      )}
      {error !== null && <Failed text={error} />}
      <div class="content" tabIndex={0} role="region" aria-label="Events">
        {data !== null && data.events.length === 0 && <Empty title="No events">Nothing has happened up to here that this is about.</Empty>}
        {data !== null && data.events.length > 0 && (
          <ol class="property-events">
            {(data.omitted > 0 || data.until !== null) && (
              <li class="faint">
                {data.omitted > 0 && `${many(data.omitted, "earlier event")}`}
                {data.until !== null && ` looked at as far as ${data.until.text}`}
              </li>
            )}
            {data.events.map((event, index) => (
              <Happened key={data.omitted + index} event={event} />
            ))}
            <li ref={end} aria-hidden="true" />
          </ol>
        )}
      </div>
    </>
  );
}

function Happened({ event }: { event: PropertyEvent }) {
  const values = named(event.values);
  return (
    <li>
      <div class="head">
        <PlaceLink place={event.place.text} />
        <span class="mono grow">
          {eventWords(event.event)}
          {values !== "" && <span class="soft"> with {values}</span>}
        </span>
        <span class="faint">{count(event.place.count)}</span>
      </div>
      {event.moves.map((move) => (
        <Moved key={move.slice} move={move} />
      ))}
      {event.faults.map((fault) => (
        <div key={fault} class="fault">
          {fault}
        </div>
      ))}
    </li>
  );
}

function Moved({ move }: { move: SliceMove }) {
  const now = named(move.variables);
  const details = [move.guard === null ? "" : guardWords(move.guard), now === "" ? "" : `now ${now}`].filter((text) => text !== "");
  return (
    <div class={`move ${move.accepting ? "" : "bad"}`}>
      <button type="button" class="link mono" title="Look at this slice alone" onClick={() => (slice.value = move.slice)}>
        {moveWords(move)}
      </button>
      {details.length > 0 && <div class="mono soft">{details.join(" · ")}</div>}
    </div>
  );
}
