-- Version 9 of the session file: systems of several programs. See docs/session-file.md.

-- The system file with all that it names, if the session is of one. Without: the session is of the
-- program in the table `program`, which is the first one of a system.
CREATE TABLE system (
  id      INTEGER PRIMARY KEY CHECK (id = 0),
  content BLOB NOT NULL,
  seal    INTEGER NOT NULL
) STRICT;
