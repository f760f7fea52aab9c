/** The log of what a property knows of: all of it, or what moved one slice. Each event leads to its moment. */
import type { PropertyEvent, SliceMove } from "../api";
import { count, many } from "../format/values";
import { Empty, Failed, PlaceLink } from "../panes/parts";
import { useQuery } from "../state/query";
import { eventWords, guardWords, moveWords, named } from "./model";
import { events, slice } from "./state";

export function Events() {
  const { data, error } = useQuery(events);
  return (
    <>
      {(slice.value !== null || events.isOld.value) && (
        <div class="bar">
          <span class="grow soft">{slice.value === null ? "All events" : `What moved slice ${slice.value}`}</span>
          {events.isOld.value && (
            <button type="button" class="link" title="It took long, so it is not followed" onClick={() => events.again()}>
              as it was before; look again
            </button>
          )}
          {slice.value !== null && (
            <button type="button" class="link" onClick={() => (slice.value = null)}>
              show all events
            </button>
          )}
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
  const details = [move.guard === null ? "" : guardWords(move.guard), named(move.variables)].filter((text) => text !== "");
  return (
    <div class={`move ${move.accepting ? "" : "bad"}`}>
      <button type="button" class="link mono" title="Look at this slice alone" onClick={() => (slice.value = move.slice)}>
        {moveWords(move)}
      </button>
      {details.length > 0 && <div class="mono soft">{details.join(" · ")}</div>}
    </div>
  );
}
