-- Version 7 of the session file: suggestions that were removed. See docs/session-file.md.

-- Segments from which suggestions were removed, and how many choices they have since.
CREATE TABLE cut (
  segment INTEGER PRIMARY KEY,
  length  INTEGER NOT NULL,
  seal    INTEGER NOT NULL
) STRICT;
