-- Version 5 of the session file: how far the program has come. See docs/session-file.md.

-- How many instructions the program has executed after the choice that leads to this node, where it
-- has made no further one and has not ended.
CREATE TABLE furthest (
  segment INTEGER NOT NULL,
  node    INTEGER NOT NULL,
  count   INTEGER NOT NULL,
  seal    INTEGER NOT NULL,
  PRIMARY KEY (segment, node)
) STRICT, WITHOUT ROWID;
