-- Version 1 of the session file. See docs/session-file.md.

-- Something there is one of, as JSON.
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  seal  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE program (
  id          INTEGER PRIMARY KEY CHECK (id = 0),
  path        TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  wasm        BLOB NOT NULL,
  seal        INTEGER NOT NULL
) STRICT;

-- Without name and text: the built-in board.
CREATE TABLE world (
  id          INTEGER PRIMARY KEY CHECK (id = 0),
  name        TEXT,
  text        TEXT,
  fingerprint TEXT NOT NULL,
  seal        INTEGER NOT NULL
) STRICT;

CREATE TABLE recording (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  seal INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE site (
  number INTEGER PRIMARY KEY,
  site   TEXT NOT NULL,
  seal   INTEGER NOT NULL
) STRICT;

-- Choices in a row, of which the first follows this node; `first` counts those before it.
CREATE TABLE choices (
  first   INTEGER PRIMARY KEY,
  segment INTEGER NOT NULL,
  node    INTEGER NOT NULL,
  length  INTEGER NOT NULL,
  body    BLOB NOT NULL,
  seal    INTEGER NOT NULL
) STRICT;

-- How a universe ended; `choices` counts those in the file when it did.
CREATE TABLE ending (
  number  INTEGER PRIMARY KEY,
  choices INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  node    INTEGER NOT NULL,
  count   INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  seal    INTEGER NOT NULL
) STRICT;

-- From this node, the preferred way on is the first node of the segment `next`; without one, it
-- is to make none of the recorded choices.
CREATE TABLE preference (
  segment INTEGER NOT NULL,
  node    INTEGER NOT NULL,
  next    INTEGER,
  seal    INTEGER NOT NULL,
  PRIMARY KEY (segment, node)
) STRICT, WITHOUT ROWID;

CREATE TABLE bookmark (
  name    TEXT PRIMARY KEY,
  segment INTEGER NOT NULL,
  node    INTEGER NOT NULL,
  count   INTEGER NOT NULL,
  seal    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE breakpoint (
  id         INTEGER PRIMARY KEY,
  breakpoint TEXT NOT NULL,
  seal       INTEGER NOT NULL
) STRICT;

CREATE TABLE mock (
  id   INTEGER PRIMARY KEY,
  mock TEXT NOT NULL,
  seal INTEGER NOT NULL
) STRICT;

-- Where the session stands, and how much there is of everything, so that nothing is missed.
CREATE TABLE place (
  id      INTEGER PRIMARY KEY CHECK (id = 0),
  segment INTEGER NOT NULL,
  node    INTEGER NOT NULL,
  count   INTEGER NOT NULL,
  totals  TEXT NOT NULL,
  seal    INTEGER NOT NULL
) STRICT;
