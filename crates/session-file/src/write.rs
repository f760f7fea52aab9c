//! Writing rows, within a transaction.

use std::collections::BTreeMap;

use mw_multiverse::{Addition, NodeId, Place};
use mw_session::Session;
use rusqlite::{Connection, Error, Result, ToSql, params};
use serde::{Deserialize, Serialize};

use crate::batch::Batch;
use crate::program::{Program, WorldSource};
use crate::seal::seal;
use crate::snapshot::{Snapshot, to_json};

/// How much of the tree is in the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    pub sites: u64,
    pub payloads: u64,
    pub choices: u64,
    pub endings: u64,
    /// One, if the session begins in the middle of a run.
    pub starts: u64,
    /// The last batch, as long as choices may still be added to it.
    pub tail: Option<Batch>,
}

/// How many rows and choices a file has: what is in the table `place`.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Totals {
    pub sites: u64,
    pub choices: u64,
    pub endings: u64,
    pub preferences: u64,
    pub bookmarks: u64,
    pub breakpoints: u64,
    pub mocks: u64,
    /// Not in files without labels, which is what all files of version 1 are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub labels: u64,
    /// Not before version 3.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unvisited: u64,
    /// Not before version 4.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub starts: u64,
    /// Not before version 5.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub furthest: u64,
    /// Not before version 6.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub payloads: u64,
    /// Not before version 7.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cuts: u64,
    /// Not before version 10.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub properties: u64,
    /// Not before version 10.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub scenarios: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Totals {
    pub fn new(written: &Written, snapshot: &Snapshot) -> Totals {
        Totals {
            sites: written.sites,
            choices: written.choices,
            endings: written.endings,
            preferences: snapshot.preferences.len() as u64,
            bookmarks: snapshot.bookmarks.len() as u64,
            breakpoints: snapshot.breakpoints.len() as u64,
            mocks: snapshot.mocks.len() as u64,
            labels: snapshot.labels.len() as u64,
            unvisited: snapshot.unvisited.len() as u64,
            starts: written.starts,
            furthest: snapshot.furthest.len() as u64,
            payloads: written.payloads,
            cuts: snapshot.cuts.len() as u64,
            properties: snapshot.properties.len() as u64,
            scenarios: snapshot.scenarios.len() as u64,
        }
    }
}

/// Saves that add little go on with the last batch while it is no longer than this.
const REWRITTEN: u32 = 256;

fn integer(number: u64) -> Result<i64> {
    i64::try_from(number).map_err(|error| Error::ToSqlConversionFailure(error.into()))
}

/// What never changes: the program and its world.
pub(crate) fn program(to: &Connection, program: &Program, session: &Session) -> Result<()> {
    let (of_program, of_world) = session.fingerprints();
    let fingerprint = format!("{of_program:032x}");
    let row = (&program.path, &fingerprint, &program.wasm);
    to.execute(
        "INSERT INTO program VALUES (0, ?1, ?2, ?3, ?4)",
        params![program.path, fingerprint, program.wasm, seal("program", &row)],
    )?;
    let fingerprint = format!("{of_world:032x}");
    let (name, text) = match &program.world {
        WorldSource::Board => (None, None),
        WorldSource::File { name, text, .. } => (Some(name), Some(text)),
    };
    to.execute(
        "INSERT INTO world VALUES (0, ?1, ?2, ?3, ?4)",
        params![name, text, fingerprint, seal("world", &(name, text, &fingerprint))],
    )?;
    if let WorldSource::File { recordings, .. } = &program.world {
        for (name, text) in recordings {
            to.execute(
                "INSERT INTO recording VALUES (?1, ?2, ?3)",
                params![name, text, seal("recording", &(name, text))],
            )?;
        }
    }
    for (name, content) in &program.sources {
        to.execute(
            "INSERT INTO source VALUES (?1, ?2, ?3)",
            params![name, content, seal("source", &(name, content))],
        )?;
    }
    if let Some(system) = &program.system {
        // Writing plain data to memory cannot fail.
        let content = postcard::to_allocvec(system).unwrap_or_default();
        let seal = seal("system", &content);
        to.execute("INSERT INTO system VALUES (0, ?1, ?2)", params![content, seal])?;
    }
    if let Some(start) = &program.start {
        let (count, state, message) = (integer(start.count())?, start.state(), start.message());
        to.execute(
            "INSERT INTO start VALUES (0, ?1, ?2, ?3, ?4)",
            params![count, state, message, seal("start", &(count, state, message))],
        )?;
    }
    meta(to, "entry", &to_json(&program.entry))?;
    meta(to, "options", &to_json(&program.options))?;
    meta(to, "written by", &to_json(&concat!("manyworlds ", env!("CARGO_PKG_VERSION"))))
}

fn meta(to: &Connection, key: &str, value: &str) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO meta VALUES (?1, ?2, ?3)";
    to.prepare_cached(sql)?.execute(params![key, value, seal("meta", &(key, value))])?;
    Ok(())
}

/// Makes room for the tree to be written anew.
pub(crate) fn clear_tree(from: &Connection, written: &mut Written) -> Result<()> {
    for table in ["site", "payload", "choices", "ending"] {
        from.execute(&format!("DELETE FROM {table}"), [])?;
    }
    *written = Written { starts: written.starts, ..Written::default() };
    Ok(())
}

/// Additions to the tree, after what is written already.
pub(crate) fn changes(to: &Connection, written: &mut Written, changes: &[Addition]) -> Result<()> {
    let mut open = written.tail.take().filter(|batch| batch.length < REWRITTEN);
    for change in changes {
        match change {
            Addition::Site(kept) => {
                let (number, kept) = (integer(written.sites)?, to_json(kept));
                to.prepare_cached("INSERT INTO site VALUES (?1, ?2, ?3)")?.execute(params![
                    number,
                    kept,
                    seal("site", &(number, &kept))
                ])?;
                written.sites += 1;
            }
            Addition::Bytes(bytes) => {
                let number = integer(written.payloads)?;
                to.prepare_cached("INSERT INTO payload VALUES (?1, ?2, ?3)")?.execute(params![
                    number,
                    bytes,
                    seal("payload", &(number, bytes))
                ])?;
                written.payloads += 1;
            }
            &Addition::Choice { after, record } => {
                let fits = open.as_mut().is_some_and(|open| open.push(after, record));
                if !fits {
                    let mut next = Batch::new(written.choices, after);
                    next.push(after, record);
                    if let Some(full) = open.replace(next) {
                        batch(to, &full)?;
                    }
                }
                written.choices += 1;
            }
            Addition::Ended { node, count, outcome } => {
                let (segment, index) = node.parts();
                let number = integer(written.endings)?;
                let (choices, count) = (integer(written.choices)?, integer(*count)?);
                let outcome = to_json(outcome);
                let row = (number, choices, segment, index, count, &outcome);
                to.prepare_cached("INSERT INTO ending VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
                    .execute(params![
                        number,
                        choices,
                        segment,
                        index,
                        count,
                        outcome,
                        seal("ending", &row)
                    ])?;
                written.endings += 1;
            }
        }
    }
    if let Some(open) = &open {
        batch(to, open)?;
    }
    written.tail = open;
    Ok(())
}

fn batch(to: &Connection, batch: &Batch) -> Result<()> {
    let (segment, index) = batch.after.parts();
    let first = integer(batch.first)?;
    let row = (first, segment, index, batch.length, &batch.body);
    let sql = "INSERT OR REPLACE INTO choices VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    to.prepare_cached(sql)?.execute(params![
        first,
        segment,
        index,
        batch.length,
        batch.body,
        seal("choices", &row)
    ])?;
    Ok(())
}

/// The differences between what was saved last, if anything was, and what there is now.
pub(crate) fn snapshot(
    to: &Connection,
    written: &Written,
    old: Option<&Snapshot>,
    new: &Snapshot,
) -> Result<()> {
    let nothing = Snapshot::default();
    if old.is_none_or(|old| old.readings != new.readings) {
        meta(to, "readings", &new.readings)?;
    }
    if old.is_none_or(|old| old.skips != new.skips) {
        meta(to, "skips", &new.skips)?;
    }
    let before = old.unwrap_or(&nothing);
    let key = |node: &NodeId| {
        let (segment, index) = node.parts();
        vec![segment.into(), index.into()]
    };
    table(to, "preference", ["segment", "node"], key, &before.preferences, &new.preferences)?;
    table(to, "label", ["segment", "node"], key, &before.labels, &new.labels)?;
    table(to, "unvisited", ["segment", "node"], key, &before.unvisited, &new.unvisited)?;
    table(to, "furthest", ["segment", "node"], key, &before.furthest, &new.furthest)?;
    let key = |name: &String| vec![name.clone().into()];
    table(to, "bookmark", ["name"], key, &before.bookmarks, &new.bookmarks)?;
    let key = |id: &u32| vec![(*id).into()];
    table(to, "cut", ["segment"], key, &before.cuts, &new.cuts)?;
    table(to, "breakpoint", ["id"], key, &before.breakpoints, &new.breakpoints)?;
    table(to, "mock", ["id"], key, &before.mocks, &new.mocks)?;
    table(to, "property", ["id"], key, &before.properties, &new.properties)?;
    table(to, "scenario", ["id"], key, &before.scenarios, &new.scenarios)?;

    let (segment, index) = new.place.node.parts();
    let count = integer(new.place.count)?;
    let totals = to_json(&Totals::new(written, new));
    let seal = seal("place", &(segment, index, count, &totals));
    to.prepare_cached("INSERT OR REPLACE INTO place VALUES (0, ?1, ?2, ?3, ?4, ?5)")?
        .execute(params![segment, index, count, totals, seal])?;
    Ok(())
}

type Column = rusqlite::types::Value;

/// The columns of a row that are not its key.
trait Columns: Serialize + PartialEq {
    fn columns(&self) -> Result<Vec<Column>>;
}

impl Columns for () {
    fn columns(&self) -> Result<Vec<Column>> {
        Ok(vec![])
    }
}

impl Columns for u32 {
    fn columns(&self) -> Result<Vec<Column>> {
        Ok(vec![(*self).into()])
    }
}

impl Columns for u64 {
    fn columns(&self) -> Result<Vec<Column>> {
        Ok(vec![integer(*self)?.into()])
    }
}

impl Columns for String {
    fn columns(&self) -> Result<Vec<Column>> {
        Ok(vec![self.clone().into()])
    }
}

impl Columns for Option<NodeId> {
    fn columns(&self) -> Result<Vec<Column>> {
        Ok(vec![self.map(|node| node.parts().0).into()])
    }
}

impl Columns for Place {
    fn columns(&self) -> Result<Vec<Column>> {
        let (segment, index) = self.node.parts();
        Ok(vec![segment.into(), index.into(), integer(self.count)?.into()])
    }
}

/// Brings a table from one content to another.
fn table<K: Ord + Serialize, V: Columns, const N: usize>(
    to: &Connection,
    table: &str,
    keys: [&str; N],
    key: impl Fn(&K) -> Vec<Column>,
    old: &BTreeMap<K, V>,
    new: &BTreeMap<K, V>,
) -> Result<()> {
    let execute = |sql: &str, columns: &[Column]| {
        let columns: Vec<&dyn ToSql> = columns.iter().map(|column| column as _).collect();
        to.prepare_cached(sql)?.execute(columns.as_slice())
    };
    for gone in old.keys().filter(|key| !new.contains_key(key)) {
        let keys = keys.map(|key| format!("{key} = ?")).join(" AND ");
        execute(&format!("DELETE FROM {table} WHERE {keys}"), &key(gone))?;
    }
    for (name, value) in new.iter().filter(|(key, value)| old.get(key) != Some(value)) {
        let mut columns = key(name);
        columns.extend(value.columns()?);
        columns.push(seal(table, &(name, value)).into());
        let marks = vec!["?"; columns.len()].join(", ");
        execute(&format!("INSERT OR REPLACE INTO {table} VALUES ({marks})"), &columns)?;
    }
    Ok(())
}
