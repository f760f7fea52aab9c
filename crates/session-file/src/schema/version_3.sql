-- Version 3 of the session file: sources, more about breakpoints, and what has not been visited. See docs/session-file.md.

-- A file that debug information names: a source map, a source, separate debug information.
CREATE TABLE source (
  name    TEXT PRIMARY KEY,
  content BLOB NOT NULL,
  seal    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A node that was suggested and where the program has not been.
CREATE TABLE unvisited (
  segment INTEGER NOT NULL,
  node    INTEGER NOT NULL,
  seal    INTEGER NOT NULL,
  PRIMARY KEY (segment, node)
) STRICT, WITHOUT ROWID;
