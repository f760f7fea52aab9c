import { activity, standing, status } from "../state/session";
import { count, many } from "../format/values";
import { open } from "../state/dialogs";

/** Where one stands, in a line, and what is under way. */
export function StatusBar() {
  const here = standing.value;
  return (
    <footer class="status">
      {here !== null && (
        <>
          <button type="button" class="link mono" title="Go to another place (Ctrl+G)" onClick={() => open({ kind: "go-to" })}>
            {here.place.text}
          </button>
          <span>{many(here.place.count, "instruction")}</span>
          <span>{here.function === null ? "" : `in ${here.function}`}</span>
          {here.instruction !== null && <code>{here.instruction}</code>}
          {here.pending?.kind === "input" && (
            <span>
              reads <code>{here.pending.call}</code>
              {here.pending.domain !== null && ` of ${here.pending.domain}`}
              {here.pending.returns !== null && `, will be ${here.pending.returns}`}
            </span>
          )}
          {here.in_the_past && <span class="badge past">in the past</span>}
          {here.altered && <span class="badge altered">altered</span>}
          {here.ended !== null && (
            <span class={`badge ${here.ended.kind === "finished" ? "end" : "trap"}`}>{here.ended.text}</span>
          )}
          {here.bookmarks.map((name) => (
            <span class="badge" key={name}>
              ★ {name}
            </span>
          ))}
        </>
      )}
      <span class="grow" />
      <Progress />
      <span role="status">{words()}</span>
    </footer>
  );
}

function Progress() {
  const now = activity.value;
  if (now === null) return null;
  const done = now.goal === null ? `${count(now.done)}` : `${count(now.done)} of ${count(now.goal)}`;
  return (
    <span class="activity">
      {now.title}
      {now.done > 0 && `, ${done}`}
      <progress aria-label={now.title} {...(now.goal === null ? {} : { max: now.goal, value: now.done })} />
      <button type="button" class="link" onClick={() => now.cancel()}>
        Cancel
      </button>
    </span>
  );
}

function words(): string {
  switch (status.value.state) {
    case "connecting":
      return "Connecting…";
    case "open":
      return "Connected";
    case "lost":
      return "Connection lost";
    case "refused":
      return "Refused";
  }
}
