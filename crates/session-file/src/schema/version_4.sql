-- Version 4 of the session file: sessions that begin in the middle of a run. See docs/session-file.md.

-- The machine that the session begins with, how many instructions it has executed, and the message
-- with which the world had ended the program, if it had. Without: the session begins at the start of
-- the program.
CREATE TABLE start (
  id      INTEGER PRIMARY KEY CHECK (id = 0),
  count   INTEGER NOT NULL,
  state   BLOB NOT NULL,
  message TEXT,
  seal    INTEGER NOT NULL
) STRICT;
