//! The tables, and how they came to be what they are.

use rusqlite::Connection;

use crate::error::{Trouble, damaged};

/// What tells a session file from other SQLite files: `Many` in ASCII.
pub const APPLICATION_ID: u32 = 0x4d61_6e79;

/// The version of the schema.
pub const VERSION: u32 = MIGRATIONS.len() as u32;

/// The steps from one version to the next; the first one makes version 1 from nothing. Steps that
/// have been released are never changed: what is to be otherwise is a step more.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("schema/version_1.sql"),
    include_str!("schema/version_2.sql"),
    include_str!("schema/version_3.sql"),
    include_str!("schema/version_4.sql"),
    include_str!("schema/version_5.sql"),
    include_str!("schema/version_6.sql"),
    include_str!("schema/version_7.sql"),
    include_str!("schema/version_8.sql"),
    include_str!("schema/version_9.sql"),
    include_str!("schema/version_10.sql"),
];

/// The version that a file has.
pub(crate) fn version(connection: &Connection) -> Result<u32, Trouble> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    u32::try_from(version).map_err(|_| damaged(format!("it has version {version}")))
}

/// Brings a file up to the newest version, whatever it has. To be called within a transaction.
pub(crate) fn migrate(connection: &Connection, steps: &[&str]) -> Result<(), Trouble> {
    let (has, known) = (version(connection)?, steps.len() as u32);
    if has > known {
        return Err(Trouble::Newer(has, known));
    }
    for step in &steps[has as usize..] {
        connection.execute_batch(step)?;
    }
    if has < known {
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", known)?;
    }
    Ok(())
}

/// Checks the structure of a file, and that it has these tables and nothing else: no trigger, no
/// view, no column that others would read otherwise.
pub(crate) fn check(connection: &Connection, steps: &[&str]) -> Result<(), Trouble> {
    let report: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))?;
    if report != "ok" {
        return Err(damaged(report));
    }
    let expected = Connection::open_in_memory()?;
    steps.iter().try_for_each(|step| expected.execute_batch(step))?;
    match tables(connection)? == tables(&expected)? {
        true => Ok(()),
        false => Err(damaged("its tables are not those of a session file")),
    }
}

type Definition = (String, String, Option<String>);

fn tables(connection: &Connection) -> Result<Vec<Definition>, Trouble> {
    let sql = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next version of a made-up future: bookmarks have a colour.
    const NEXT: &[&str] = &[
        MIGRATIONS[0],
        MIGRATIONS[1],
        MIGRATIONS[2],
        MIGRATIONS[3],
        MIGRATIONS[4],
        MIGRATIONS[5],
        MIGRATIONS[6],
        MIGRATIONS[7],
        MIGRATIONS[8],
        MIGRATIONS[9],
        "ALTER TABLE bookmark ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue';
         CREATE TABLE note (place INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;",
    ];

    fn fresh(steps: &[&str]) -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        migrate(&connection, steps).unwrap();
        connection
    }

    #[test]
    fn an_older_file_is_migrated() {
        let connection = fresh(MIGRATIONS);
        let bookmark = "INSERT INTO bookmark VALUES ('here', 0, 0, 7, 0)";
        connection.execute(bookmark, []).unwrap();
        assert_eq!(version(&connection).unwrap(), VERSION);

        migrate(&connection, NEXT).unwrap();
        assert_eq!(version(&connection).unwrap(), VERSION + 1);
        let sql = "SELECT name || ' ' || count || ' ' || colour FROM bookmark";
        let row: String = connection.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(row, "here 7 blue");
        // The result is what the steps make from nothing.
        check(&connection, NEXT).unwrap();
        assert_eq!(tables(&connection).unwrap(), tables(&fresh(NEXT)).unwrap());
        // And migrating again does nothing.
        migrate(&connection, NEXT).unwrap();
    }

    #[test]
    fn a_newer_file_is_refused() {
        let connection = fresh(NEXT);
        assert!(matches!(migrate(&connection, MIGRATIONS), Err(Trouble::Newer(11, 10))));
    }

    #[test]
    fn other_tables_are_refused() {
        let connection = fresh(MIGRATIONS);
        check(&connection, MIGRATIONS).unwrap();
        connection
            .execute_batch("CREATE TRIGGER t AFTER UPDATE ON place BEGIN DELETE FROM site; END")
            .unwrap();
        assert!(matches!(check(&connection, MIGRATIONS), Err(Trouble::Damaged(_))));
    }
}
