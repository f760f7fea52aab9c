-- Version 2 of the session file: labels. See docs/session-file.md.

-- The values that lead to the same future as the choice that leads to this node.
CREATE TABLE label (
  segment INTEGER NOT NULL,
  node    INTEGER NOT NULL,
  text    TEXT NOT NULL,
  seal    INTEGER NOT NULL,
  PRIMARY KEY (segment, node)
) STRICT, WITHOUT ROWID;
