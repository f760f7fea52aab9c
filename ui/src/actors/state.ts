/** Who there is, asked for once for all that show it. */
import { query } from "../state/query";
import { ask } from "../state/session";

export const actors = query(
  () => true,
  () => ask({ request: "actors" }),
  () => true,
);
