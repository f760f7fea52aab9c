//! Reading rows, none of which is believed before it is checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use mw_multiverse::{Addition, Multiverse, NodeId, Place};
use mw_session::{SkipSet, Start};
use rusqlite::{Connection, Error};
use serde::de::DeserializeOwned;

use crate::batch::Batch;
use crate::error::{Trouble, damaged};
use crate::program::{Program, WorldSource};
use crate::seal::check;
use crate::sites::Sites;
use crate::snapshot::{Snapshot, skips};
use crate::system::SystemSource;
use crate::write::{Totals, Written};

/// Everything that is in a file.
#[derive(Debug)]
pub(crate) struct Contents {
    pub program: Program,
    /// The fingerprints of the program and of the world.
    pub fingerprints: (String, String),
    pub multiverse: Multiverse,
    pub written: Written,
    pub snapshot: Snapshot,
}

pub(crate) fn contents(from: &Connection) -> Result<Contents, Trouble> {
    let (program, fingerprints) = program(from)?;
    let (multiverse, written) = tree(from, &program)?;
    let snapshot = snapshot(from, &multiverse, &written)?;
    Ok(Contents { program, fingerprints, multiverse, written, snapshot })
}

pub(crate) fn from_json<T: DeserializeOwned>(table: &str, json: &str) -> Result<T, Trouble> {
    serde_json::from_str(json).map_err(|error| damaged(format!("in the table {table}: {error}")))
}

fn natural(number: i64) -> Result<u64, Trouble> {
    u64::try_from(number).map_err(|_| damaged(format!("{number} stands where a count belongs")))
}

fn meta(from: &Connection, key: &str) -> Result<String, Trouble> {
    let sql = "SELECT value, seal FROM meta WHERE key = ?1";
    let (value, seal): (String, _) =
        from.query_row(sql, [key], |row| Ok((row.get(0)?, row.get(1)?)))?;
    check("meta", &(key, &value), seal)?;
    Ok(value)
}

fn program(from: &Connection) -> Result<(Program, (String, String)), Trouble> {
    let sql = "SELECT path, fingerprint, wasm, seal FROM program";
    let (path, of_program, wasm, seal): (String, String, Vec<u8>, _) =
        from.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    check("program", &(&path, &of_program, &wasm), seal)?;

    let sql = "SELECT name, text, fingerprint, seal FROM world";
    let (name, text, of_world, seal): (Option<String>, Option<String>, String, _) =
        from.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    check("world", &(&name, &text, &of_world), seal)?;
    let world = match (name, text) {
        (Some(name), Some(text)) => WorldSource::File { name, text, recordings: recordings(from)? },
        _ => WorldSource::Board,
    };
    let entry = from_json("meta", &meta(from, "entry")?)?;
    let options = from_json("meta", &meta(from, "options")?)?;
    let sources = sources(from)?;
    let (start, system) = (start(from)?, system(from)?);
    let program = Program { path, wasm, system, world, entry, start, options, sources };
    Ok((program, (of_program, of_world)))
}

fn start(from: &Connection) -> Result<Option<Start>, Trouble> {
    let mut statement = from.prepare("SELECT count, state, message, seal FROM start")?;
    let mut rows = statement.query([])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let (count, state, message): (i64, Vec<u8>, Option<String>) =
        (row.get(0)?, row.get(1)?, row.get(2)?);
    check("start", &(count, &state, &message), row.get(3)?)?;
    Ok(Some(Start::kept(natural(count)?, state, message)))
}

fn system(from: &Connection) -> Result<Option<SystemSource>, Trouble> {
    let mut statement = from.prepare("SELECT content, seal FROM system")?;
    let mut rows = statement.query([])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let content: Vec<u8> = row.get(0)?;
    check("system", &content, row.get(1)?)?;
    let system = postcard::from_bytes(&content);
    system.map(Some).map_err(|error| damaged(format!("in the table system: {error}")))
}

fn recordings(from: &Connection) -> Result<BTreeMap<String, String>, Trouble> {
    let mut recordings = BTreeMap::new();
    let mut statement = from.prepare("SELECT name, text, seal FROM recording")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (name, text): (String, String) = (row.get(0)?, row.get(1)?);
        check("recording", &(&name, &text), row.get(2)?)?;
        recordings.insert(name, text);
    }
    Ok(recordings)
}

fn sources(from: &Connection) -> Result<BTreeMap<String, Vec<u8>>, Trouble> {
    let mut sources = BTreeMap::new();
    let mut statement = from.prepare("SELECT name, content, seal FROM source")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (name, content): (String, Vec<u8>) = (row.get(0)?, row.get(1)?);
        check("source", &(&name, &content), row.get(2)?)?;
        sources.insert(name, content);
    }
    Ok(sources)
}

/// An ending and how many choices came before it.
struct Ending {
    choices: u64,
    change: Addition,
}

fn tree(from: &Connection, program: &Program) -> Result<(Multiverse, Written), Trouble> {
    let start = program.start.as_ref();
    let multiverse = Multiverse::beginning_at(start.map_or(0, Start::count));
    let mut multiverse = multiverse.with_cuts(cuts(from)?);
    let mut written = Written { starts: start.is_some().into(), ..Written::default() };
    sites(from, program, &mut multiverse, &mut written)?;
    payloads(from, &mut multiverse, &mut written)?;
    let endings = endings(from)?;
    written.endings = endings.len() as u64;
    let mut endings = endings.into_iter().peekable();

    let apply = |multiverse: &mut Multiverse, change: &Addition| match multiverse.apply(change) {
        true => Ok(()),
        false => Err(damaged(format!("{change:?} does not fit the tree"))),
    };
    let sql = "SELECT first, segment, node, length, body, seal FROM choices ORDER BY first";
    let mut statement = from.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (first, segment, index, length): (i64, u32, u32, u32) =
            (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        let body: Vec<u8> = row.get(4)?;
        check("choices", &(first, segment, index, length, &body), row.get(5)?)?;
        let after = NodeId::from_parts(segment, index);
        let batch = Batch::from_row(natural(first)?, after, length, body);
        if batch.first != written.choices {
            return Err(damaged(format!("choices are missing before number {first}")));
        }
        let changes = batch.changes();
        let changes =
            changes.ok_or_else(|| damaged(format!("choices from number {first} make no sense")))?;
        for change in &changes {
            while let Some(ending) = endings.next_if(|e| e.choices <= written.choices) {
                apply(&mut multiverse, &ending.change)?;
            }
            apply(&mut multiverse, change)?;
            written.choices += 1;
        }
    }
    for ending in endings {
        if ending.choices != written.choices {
            return Err(damaged("choices are missing before the end of a universe"));
        }
        apply(&mut multiverse, &ending.change)?;
    }
    // They are in the file.
    multiverse.skip_changes();
    Ok((multiverse, written))
}

fn sites(
    from: &Connection,
    program: &Program,
    multiverse: &mut Multiverse,
    written: &mut Written,
) -> Result<(), Trouble> {
    let mut sites = Sites::of(program);
    let mut statement = from.prepare("SELECT number, site, seal FROM site ORDER BY number")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (number, site): (i64, String) = (row.get(0)?, row.get(1)?);
        check("site", &(number, &site), row.get(2)?)?;
        let is_next = natural(number)? == written.sites;
        if !is_next || !sites.add(&site, multiverse)? {
            return Err(damaged(format!("site {number} is not the next one")));
        }
        written.sites += 1;
    }
    Ok(())
}

fn payloads(
    from: &Connection,
    multiverse: &mut Multiverse,
    written: &mut Written,
) -> Result<(), Trouble> {
    let mut statement = from.prepare("SELECT number, bytes, seal FROM payload ORDER BY number")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (number, bytes): (i64, Vec<u8>) = (row.get(0)?, row.get(1)?);
        let bytes: Arc<[u8]> = bytes.into();
        check("payload", &(number, &bytes), row.get(2)?)?;
        let is_next = natural(number)? == written.payloads;
        if !is_next || !multiverse.apply(&Addition::Bytes(bytes)) {
            return Err(damaged(format!("payload {number} is not the next one")));
        }
        written.payloads += 1;
    }
    Ok(())
}

fn endings(from: &Connection) -> Result<Vec<Ending>, Trouble> {
    let sql = "SELECT number, choices, segment, node, count, outcome, seal FROM ending \
               ORDER BY number";
    let mut endings: Vec<Ending> = Vec::new();
    let mut statement = from.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (number, choices, segment, index): (i64, i64, u32, u32) =
            (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        let (count, outcome): (i64, String) = (row.get(4)?, row.get(5)?);
        check("ending", &(number, choices, segment, index, count, &outcome), row.get(6)?)?;
        let choices = natural(choices)?;
        let in_order = endings.last().is_none_or(|last| last.choices <= choices);
        if natural(number)? != endings.len() as u64 || !in_order {
            return Err(damaged(format!("ending {number} is not the next one")));
        }
        let change = Addition::Ended {
            node: NodeId::from_parts(segment, index),
            count: natural(count)?,
            outcome: from_json("ending", &outcome)?,
        };
        endings.push(Ending { choices, change });
    }
    Ok(endings)
}

fn snapshot(
    from: &Connection,
    multiverse: &Multiverse,
    written: &Written,
) -> Result<Snapshot, Trouble> {
    let sql = "SELECT segment, node, count, totals, seal FROM place";
    let (segment, index, count, totals, seal): (u32, u32, i64, String, _) =
        from.query_row(sql, [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
        })?;
    check("place", &(segment, index, count, &totals), seal)?;
    let place = Place { node: NodeId::from_parts(segment, index), count: natural(count)? };
    let snapshot = Snapshot {
        place,
        preferences: preferences(from)?,
        bookmarks: bookmarks(from)?,
        labels: labels(from)?,
        unvisited: unvisited(from)?,
        furthest: furthest(from)?,
        cuts: multiverse.cuts().clone(),
        breakpoints: numbered(from, "breakpoint")?,
        mocks: numbered(from, "mock")?,
        properties: numbered(from, "property")?,
        scenarios: numbered(from, "scenario")?,
        readings: meta(from, "readings")?,
        skips: match meta(from, "skips") {
            // Not before version 8.
            Err(Trouble::Sqlite(Error::QueryReturnedNoRows)) => skips(&SkipSet::default()),
            kept => kept?,
        },
    };
    if from_json::<Totals>("place", &totals)? != Totals::new(written, &snapshot) {
        return Err(damaged(format!("rows are missing; there should be {totals}")));
    }
    let places = snapshot.bookmarks.values().chain([&place]).map(|place| place.node);
    let noted = snapshot.labels.keys().chain(snapshot.unvisited.keys());
    let noted = noted.chain(snapshot.furthest.keys());
    for node in places.chain(noted.copied()) {
        if !multiverse.contains(node) {
            return Err(damaged(format!("there is no node {node} in the tree")));
        }
    }
    Ok(snapshot)
}

fn preferences(from: &Connection) -> Result<BTreeMap<NodeId, Option<NodeId>>, Trouble> {
    let mut preferences = BTreeMap::new();
    let mut statement = from.prepare("SELECT segment, node, next, seal FROM preference")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let node = NodeId::from_parts(row.get(0)?, row.get(1)?);
        let next: Option<u32> = row.get(2)?;
        let next = next.map(|segment| NodeId::from_parts(segment, 1));
        check("preference", &(node, next), row.get(3)?)?;
        preferences.insert(node, next);
    }
    Ok(preferences)
}

fn bookmarks(from: &Connection) -> Result<BTreeMap<String, Place>, Trouble> {
    let mut bookmarks = BTreeMap::new();
    let mut statement = from.prepare("SELECT name, segment, node, count, seal FROM bookmark")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (name, count): (String, i64) = (row.get(0)?, row.get(3)?);
        let node = NodeId::from_parts(row.get(1)?, row.get(2)?);
        let place = Place { node, count: natural(count)? };
        check("bookmark", &(&name, place), row.get(4)?)?;
        bookmarks.insert(name, place);
    }
    Ok(bookmarks)
}

fn labels(from: &Connection) -> Result<BTreeMap<NodeId, String>, Trouble> {
    let mut labels = BTreeMap::new();
    let mut statement = from.prepare("SELECT segment, node, text, seal FROM label")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let node = NodeId::from_parts(row.get(0)?, row.get(1)?);
        let text: String = row.get(2)?;
        check("label", &(node, &text), row.get(3)?)?;
        labels.insert(node, text);
    }
    Ok(labels)
}

fn unvisited(from: &Connection) -> Result<BTreeMap<NodeId, ()>, Trouble> {
    let mut unvisited = BTreeMap::new();
    let mut statement = from.prepare("SELECT segment, node, seal FROM unvisited")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let node = NodeId::from_parts(row.get(0)?, row.get(1)?);
        check("unvisited", &(node, ()), row.get(2)?)?;
        unvisited.insert(node, ());
    }
    Ok(unvisited)
}

fn furthest(from: &Connection) -> Result<BTreeMap<NodeId, u64>, Trouble> {
    let mut furthest = BTreeMap::new();
    let mut statement = from.prepare("SELECT segment, node, count, seal FROM furthest")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let node = NodeId::from_parts(row.get(0)?, row.get(1)?);
        let count = natural(row.get(2)?)?;
        check("furthest", &(node, count), row.get(3)?)?;
        furthest.insert(node, count);
    }
    Ok(furthest)
}

fn cuts(from: &Connection) -> Result<BTreeMap<u32, u32>, Trouble> {
    let mut cuts = BTreeMap::new();
    let mut statement = from.prepare("SELECT segment, length, seal FROM cut")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (segment, length): (u32, u32) = (row.get(0)?, row.get(1)?);
        check("cut", &(segment, length), row.get(2)?)?;
        cuts.insert(segment, length);
    }
    Ok(cuts)
}

/// A table of numbers and JSON.
fn numbered(from: &Connection, table: &str) -> Result<BTreeMap<u32, String>, Trouble> {
    let mut numbered = BTreeMap::new();
    let mut statement = from.prepare(&format!("SELECT id, {table}, seal FROM {table}"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (id, json): (u32, String) = (row.get(0)?, row.get(1)?);
        check(table, &(id, &json), row.get(2)?)?;
        // There must be a number left for the next one.
        if id == u32::MAX {
            return Err(damaged(format!("{table} {id} has no number")));
        }
        numbered.insert(id, json);
    }
    Ok(numbered)
}
