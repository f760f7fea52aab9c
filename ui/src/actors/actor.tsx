/** One actor. */
import type { ActorView, NextTurn } from "../api";
import { IconButton } from "../chrome/button";
import { many } from "../format/values";
import { giveTurn, pauseActor, stepMessage, stepTurn } from "../state/actions";
import { activity } from "../state/session";
import { canBeNext, ownTurns, queuesOf, type Queue } from "./inbox";

/** So many messages of one sender are shown; the others are counted. */
const SHOWN = 4;

export function Actor({ actor, next }: { actor: ActorView; next: readonly NextTurn[] }) {
  const busy = activity.value !== null;
  const { name, id } = actor;
  const isOver = actor.standing === "stopped" || actor.standing === "failed";
  return (
    <li class={`actor ${actor.current ? "current" : ""}`} aria-label={name} data-actor={name} aria-current={actor.current ? "true" : undefined}>
      <div class="head">
        <strong class="mono name" title={`${name}, actor ${id} of ${actor.program}${actor.kind === "" ? "" : `, of kind ${actor.kind}`}`}>
          {name}
        </strong>
        <span class={`badge ${badge(actor)}`}>{actor.standing}</span>
        {actor.paused && <span class="badge past">paused</span>}
        <span class="faint count">{many(actor.turns, "turn")}</span>
        <span class="grow" />
        <IconButton icon="turn-back" label={`Back to the last turn of ${name}`} disabled={busy || actor.turns === 0} onClick={() => stepTurn("back", String(id))} />
        <IconButton icon="turn" label={`Run to the next turn of ${name}`} disabled={busy || isOver} onClick={() => stepTurn("forward", String(id))} />
        <IconButton
          icon={actor.paused ? "play" : "pause"}
          label={actor.paused ? `Let ${name} go on` : `Let ${name} wait`}
          pressed={actor.paused}
          onClick={() => pauseActor(String(id), !actor.paused)}
        />
      </div>
      {actor.handles !== null && (
        <p>
          handles <code>{actor.handles.text}</code> from {actor.handles.sender}
        </p>
      )}
      {actor.awaits.length > 0 && (
        <p class="soft">
          waits for the answer to <code>{actor.awaits.join(", ")}</code>
        </p>
      )}
      <Inbox actor={actor} next={next} disabled={busy || actor.paused || isOver} />
    </li>
  );
}

function badge({ standing }: ActorView): string {
  if (standing === "busy") return "past";
  return standing === "failed" ? "trap" : "";
}

function Inbox({ actor, next, disabled }: { actor: ActorView; next: readonly NextTurn[]; disabled: boolean }) {
  const own = ownTurns(actor, next);
  const queues = queuesOf(actor.inbox);
  if (own.length === 0 && queues.length === 0) return null;
  return (
    <ul class="inbox" aria-label={`What waits for ${actor.name}`}>
      {own.map((turn) => (
        <li key={turn.key}>
          <button type="button" class="turn" disabled={disabled} title={`Next: ${turn.label}`} onClick={() => void giveTurn(turn.key)}>
            {turn.key.startsWith("start") ? "begin" : "go on"}
          </button>
        </li>
      ))}
      {queues.map((queue) => (
        <Waiting key={queue.from} actor={actor} queue={queue} disabled={disabled || !canBeNext(actor, queue.from, next)} />
      ))}
    </ul>
  );
}

/** What waits from one sender: the first of it can be next. */
function Waiting({ actor, queue, disabled }: { actor: ActorView; queue: Queue; disabled: boolean }) {
  const [first, ...later] = queue.waiting;
  const more = later.length - (SHOWN - 1);
  return (
    <li>
      <button
        type="button"
        class="turn mono"
        disabled={disabled}
        title={`Give ${actor.name} the next turn, with ${first!.text} from ${queue.sender}`}
        onClick={() => void giveTurn(`${actor.id} from ${queue.from}`)}
      >
        {first!.text}
      </button>
      {later.slice(0, SHOWN - 1).map((message) => (
        <button
          key={message.number}
          type="button"
          class="link later mono"
          disabled={activity.value !== null}
          title={`Run until ${message.text} from ${queue.sender} has been handled`}
          onClick={() => void stepMessage(message.sender, message.number)}
        >
          {message.text}
        </button>
      ))}
      {more > 0 && (
        <span class="faint" title={later.map((message) => message.text).join("\n")}>
          and {more} more
        </span>
      )}
      <span class="soft">from {queue.sender}</span>
    </li>
  );
}
