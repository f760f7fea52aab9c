-- Version 10 of the session file: properties and scenarios. See docs/session-file.md.

-- A property that is watched for, by its number: name, text and the file that it was read from, as
-- JSON.
CREATE TABLE property (
  id       INTEGER PRIMARY KEY,
  property TEXT NOT NULL,
  seal     INTEGER NOT NULL
) STRICT;

-- A scenario, by its number: the same, and the property that it is about.
CREATE TABLE scenario (
  id       INTEGER PRIMARY KEY,
  scenario TEXT NOT NULL,
  seal     INTEGER NOT NULL
) STRICT;
