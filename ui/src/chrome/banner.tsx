import { status } from "../state/session";

/** What stands in the way of everything else: no connection, no access. */
export function Banner() {
  const now = status.value;
  if (now.state === "lost") {
    return (
      <div class="banner" role="alert">
        <strong>The connection to the debugger is lost.</strong>
        It is tried again (attempt {now.attempt}). If <code>mw</code> has ended, start it anew; with{" "}
        <code>--session FILE</code> it goes on where it was.
      </div>
    );
  }
  if (now.state === "refused") {
    return (
      <div class="banner error" role="alert">
        <strong>This page has no access to the session.</strong>
        {now.reason || "Open the address that mw debug has printed: it carries the token."}
      </div>
    );
  }
  return <div />;
}
