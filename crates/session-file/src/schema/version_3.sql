-- Version 3 of the session file: sources, and more about breakpoints. See docs/session-file.md.

-- A file that debug information names: a source map, a source, separate debug information.
CREATE TABLE source (
  name    TEXT PRIMARY KEY,
  content BLOB NOT NULL,
  seal    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
