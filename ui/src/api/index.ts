/** What is said between the page and the debugger. */
export * from "./types";
