/** What is said between the page and the debugger. */
import type { Requests } from "./types";

export * from "./types";

export type RequestName = keyof Requests;

/** A request as it goes over the line. It may go back over what cannot be undone once that is confirmed. */
export type Request<N extends RequestName = RequestName> = N extends RequestName
  ? { request: N; confirm?: boolean } & Requests[N][0]
  : never;

/** What a request is answered with. */
export type Reply<N extends RequestName = RequestName> = Requests[N][1];
