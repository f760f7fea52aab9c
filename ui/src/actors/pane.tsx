/** The actors: how each one is, what waits for it, and what can be done with it. */
import { useEffect, useRef } from "preact/hooks";
import type { ActorsView, NextTurn } from "../api";
import { IconButton } from "../chrome/button";
import { many } from "../format/values";
import { Empty, Failed } from "../panes/parts";
import { giveTurn, pauseActor } from "../state/actions";
import { useQuery } from "../state/query";
import { activity } from "../state/session";
import { Actor } from "./actor";
import { partFaults } from "./inbox";
import { actors } from "./state";

export function ActorsPane() {
  const { data, error } = useQuery(actors);
  return (
    <div class="pane actors-pane">
      {data !== null && <Bar view={data} />}
      {error !== null && <Failed text={error} />}
      <div class="content" tabIndex={0} role="region" aria-label="Actors">
        {data !== null && data.actors.length === 0 && (
          <Empty title="No actors">This program is not made of actors.</Empty>
        )}
        {data !== null && <Everybody view={data} />}
      </div>
    </div>
  );
}

function Bar({ view }: { view: ActorsView }) {
  const paused = view.actors.filter((actor) => actor.paused).length;
  const waiting = view.actors.reduce((sum, actor) => sum + actor.inbox.length, 0);
  return (
    <div class="bar">
      <span class="grow soft">
        {many(view.actors.length, "actor")}, {waiting === 0 ? "no message waits" : `${many(waiting, "message")} waiting`}
        {paused > 0 && `, ${paused} paused`}
      </span>
      {paused > 0 ? (
        <IconButton icon="play" label="Let all actors go on" onClick={() => pauseActor(null, false)} />
      ) : (
        <IconButton icon="pause" label="Let all actors wait" onClick={() => pauseActor(null, true)} />
      )}
    </div>
  );
}

function Everybody({ view }: { view: ActorsView }) {
  const { faults } = partFaults(view.next);
  const list = useRef<HTMLUListElement>(null);
  const current = view.actors.find((actor) => actor.current)?.id;
  // Of many, whoever has the turn is the one to look at.
  useEffect(() => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [current]);
  return (
    <>
      <ul class="actors" aria-label="All actors" ref={list}>
        {view.actors.map((actor) => (
          <Actor key={actor.id} actor={actor} next={view.next} />
        ))}
      </ul>
      {faults.length > 0 && <Faults faults={faults} />}
    </>
  );
}

/** What the system file lets go wrong here. */
function Faults({ faults }: { faults: readonly NextTurn[] }) {
  return (
    <section class="faults" aria-label="What may go wrong here">
      <h3>What may go wrong here</h3>
      <ul>
        {faults.map((fault) => (
          <li key={fault.key}>
            <button type="button" class="turn fault" disabled={activity.value !== null} onClick={() => void giveTurn(fault.key)}>
              {fault.label}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
