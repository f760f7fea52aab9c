-- Version 8 of the session file: what steps pass through. See docs/session-file.md.

-- It is the value of the key `skips` in the table `meta`. A file without it has the libraries alone,
-- so there is nothing to write here.
