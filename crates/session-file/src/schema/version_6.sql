-- Version 6 of the session file: what comes with a choice. See docs/session-file.md.

-- Bytes that came with choices, each once, numbered from 0.
CREATE TABLE payload (
  number INTEGER PRIMARY KEY,
  bytes  BLOB NOT NULL,
  seal   INTEGER NOT NULL
) STRICT;
