//! Sets, maps, multisets and multimaps that are made of edits, and need not know what they edit.
//!
//! This is seed 004's edit hash array mapped trie. An edit of a key is put before what there was, which
//! is lazy: who looks for that key finds the edit and asks no further, and who looks for another one
//! asks what there was. A trie over the hashes of keys keeps edits apart that have nothing to do with
//! each other, so that a lookup does not walk through all of them, and what one lookup has found out
//! the next one knows. Along a trace, [`concat`](EditHamt::concat) with
//! [`scan`](crate::Trace::scan) makes of single edits what holds after each, without computing any.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::sync::{Arc, Mutex, PoisonError};

use crate::failure::Failure;
use crate::lazy::Lazy;

/// Bits of the hash by which a node of the trie tells its children apart.
const WIDTH: u32 = 5;
/// How many levels the trie has; what hashes have in common below that, lists of edits tell apart.
const LEVELS: u32 = 6;

/// A set, map, multiset or multimap. See the [module](self).
pub struct EditHamt<'a, K, V, S = BuildHasherDefault<DefaultHasher>> {
    root: Branch<'a, K, V, S>,
    hasher: S,
}

impl<K, V, S: Clone> Clone for EditHamt<'_, K, V, S> {
    fn clone(&self) -> Self {
        EditHamt { root: self.root.clone(), hasher: self.hasher.clone() }
    }
}

impl<K, V, S> fmt::Debug for EditHamt<'_, K, V, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EditHamt")
    }
}

/// A part of the trie; none where there is no edit.
type Branch<'a, K, V, S> = Option<Arc<Node<'a, K, V, S>>>;

/// An inner node of the trie, or a list of edits below its lowest level: what one source has of all
/// hashes that begin alike.
struct Node<'a, K, V, S> {
    /// Taken only when it is dropped.
    source: Option<Arc<Source<'a, K, V, S>>>,
    /// The bits that the hashes have in common: as many as the level says.
    hash: u64,
    level: u32,
    /// Children that somebody has asked for.
    known: Mutex<BTreeMap<u32, Branch<'a, K, V, S>>>,
}

/// What a map is made of.
enum Source<'a, K, V, S> {
    /// An edit of a key with this hash, before what there was.
    Edited { edit: Edit<K, V>, hash: u64, prior: Lazy<'a, EditHamt<'a, K, V, S>> },
    /// What is newer before what is older.
    Both { older: Lazy<'a, EditHamt<'a, K, V, S>>, newer: Lazy<'a, EditHamt<'a, K, V, S>> },
}

#[derive(Clone, Debug)]
enum Edit<K, V> {
    Add(K, V),
    /// All bindings of the key.
    Remove(K),
    /// The newest one.
    RemoveOne(K),
    /// The newest one to this value.
    RemoveValue(K, V),
}

impl<K, V> Edit<K, V> {
    fn key(&self) -> &K {
        match self {
            Edit::Add(key, _)
            | Edit::Remove(key)
            | Edit::RemoveOne(key)
            | Edit::RemoveValue(key, _) => key,
        }
    }
}

impl<K, V, S> Drop for Node<'_, K, V, S> {
    /// What a map is made of may reach back far: it is dropped one after the other, not one within the
    /// other.
    fn drop(&mut self) {
        fn parts<'a, K, V, S>(node: &mut Node<'a, K, V, S>) -> Vec<Arc<Node<'a, K, V, S>>> {
            let known = node.known.get_mut().unwrap_or_else(PoisonError::into_inner);
            let mut parts: Vec<_> = std::mem::take(known).into_values().flatten().collect();
            let maps = match node.source.take().and_then(Arc::into_inner) {
                Some(Source::Edited { prior, .. }) => [Some(prior), None],
                Some(Source::Both { older, newer }) => [Some(older), Some(newer)],
                None => [None, None],
            };
            let maps = maps.into_iter().flatten().filter_map(Lazy::into_forced);
            parts.extend(maps.filter_map(|map| map.root));
            parts
        }
        let mut waiting = parts(self);
        while let Some(node) = waiting.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                waiting.append(&mut parts(&mut node));
            }
        }
    }
}

impl<'a, K, V, S> Node<'a, K, V, S>
where
    K: Clone + Eq + Send + Sync + 'a,
    V: Clone + PartialEq + Send + Sync + 'a,
{
    fn new(source: &Arc<Source<'a, K, V, S>>, hash: u64, level: u32) -> Arc<Self> {
        Arc::new(Node { source: Some(source.clone()), hash, level, known: Mutex::default() })
    }

    fn source(&self) -> Result<&Arc<Source<'a, K, V, S>>, Failure> {
        self.source.as_ref().ok_or(Failure::Gone)
    }

    /// The child of an inner node.
    fn child(self: &Arc<Self>, index: u32) -> Result<Branch<'a, K, V, S>, Failure> {
        // Edits of other keys may be many: they are passed one after the other.
        let (mut passed, mut at) = (Vec::new(), self.clone());
        let found = loop {
            let known = at.known.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(found) = known.get(&index).cloned() {
                break found;
            }
            drop(known);
            passed.push(at.clone());
            let hash = at.hash | u64::from(index) << (at.level * WIDTH);
            let source = at.source()?;
            let prior = match &**source {
                Source::Edited { hash, prior, .. } if part(*hash, at.level) != index => prior,
                _ => break Some(Node::new(source, hash, at.level + 1)),
            };
            match prior.force()?.branch(at.hash, at.level)? {
                Some(node) => at = node,
                None => break None,
            }
        };
        for node in passed {
            let mut known = node.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(index, found.clone());
        }
        Ok(found)
    }
}

impl<'a, K, V, S> EditHamt<'a, K, V, S>
where
    K: Clone + Eq + Send + Sync + 'a,
    V: Clone + PartialEq + Send + Sync + 'a,
{
    /// What there is of all hashes that have as many bits in common as a level says.
    fn branch(&self, hash: u64, level: u32) -> Result<Branch<'a, K, V, S>, Failure> {
        let mut branch = self.root.clone();
        for level in 0..level {
            let Some(node) = branch else { return Ok(None) };
            branch = node.child(part(hash, level))?;
        }
        Ok(branch)
    }
}

impl<'a, K, V, S> EditHamt<'a, K, V, S>
where
    K: Clone + Eq + Hash + Send + Sync + 'a,
    V: Clone + PartialEq + Send + Sync + 'a,
    S: BuildHasher + Clone + Default + Send + Sync + 'a,
{
    /// With nothing in it.
    pub fn empty() -> Self {
        EditHamt { root: None, hasher: S::default() }
    }

    /// With a further binding of a key.
    pub fn add_key_value(prior: Lazy<'a, Self>, key: K, value: V) -> Self {
        Self::edited(prior, Edit::Add(key, value))
    }

    /// Without any binding of a key.
    pub fn remove(prior: Lazy<'a, Self>, key: K) -> Self {
        Self::edited(prior, Edit::Remove(key))
    }

    /// Without the newest binding of a key.
    pub fn remove_one(prior: Lazy<'a, Self>, key: K) -> Self {
        Self::edited(prior, Edit::RemoveOne(key))
    }

    /// Without the newest binding of a key to a value.
    pub fn remove_key_value(prior: Lazy<'a, Self>, key: K, value: V) -> Self {
        Self::edited(prior, Edit::RemoveValue(key, value))
    }

    /// The edits of one, and then those of another.
    pub fn concat(older: Lazy<'a, Self>, newer: Lazy<'a, Self>) -> Self {
        Self::of(Source::Both { older, newer })
    }

    fn of(source: Source<'a, K, V, S>) -> Self {
        EditHamt { root: Some(Node::new(&Arc::new(source), 0, 0)), hasher: S::default() }
    }

    /// Whether there is a binding of a key.
    pub fn contains(&self, key: &K) -> Result<bool, Failure> {
        Ok(self.find(key)?.is_some())
    }

    /// The newest value of a key.
    pub fn find(&self, key: &K) -> Result<Option<V>, Failure> {
        self.find_multi(key).next().transpose()
    }

    /// All values of a key, newest first, each looked for when it is asked for.
    pub fn find_multi<'k>(&self, key: &'k K) -> Found<'a, 'k, K, V, S> {
        let hash = self.hash(key);
        let waiting = vec![Lazy::ready(self.clone())];
        Found { key, hash, waiting, removals: Vec::new() }
    }

    fn hash(&self, key: &K) -> u64 {
        self.hasher.hash_one(key) & ((1 << (LEVELS * WIDTH)) - 1)
    }

    fn edited(prior: Lazy<'a, Self>, edit: Edit<K, V>) -> Self {
        let hash = Self::empty().hash(edit.key());
        Self::of(Source::Edited { edit, hash, prior })
    }
}

impl<'a, K, S> EditHamt<'a, K, (), S>
where
    K: Clone + Eq + Hash + Send + Sync + 'a,
    S: BuildHasher + Clone + Default + Send + Sync + 'a,
{
    /// With a further element, of a set or multiset.
    pub fn add(prior: Lazy<'a, Self>, key: K) -> Self {
        Self::add_key_value(prior, key, ())
    }
}

/// The bits of a hash that one level of the trie goes by.
fn part(hash: u64, level: u32) -> u32 {
    (hash >> (level * WIDTH)) as u32 & ((1 << WIDTH) - 1)
}

/// The values of a key, newest first.
#[derive(Debug)]
pub struct Found<'a, 'k, K, V, S> {
    key: &'k K,
    hash: u64,
    /// Maps that are still to be looked at, the next one last.
    waiting: Vec<Lazy<'a, EditHamt<'a, K, V, S>>>,
    /// Removals of one binding that have not found theirs: the earliest, which comes to act first, is
    /// last. With a value, only a binding to that is meant.
    removals: Vec<Option<V>>,
}

impl<'a, K, V, S> Found<'a, '_, K, V, S>
where
    K: Clone + Eq + Send + Sync + 'a,
    V: Clone + PartialEq + Send + Sync + 'a,
{
    /// Looks at edits up to the next binding that there is.
    fn look(&mut self) -> Result<Option<V>, Failure> {
        while let Some(map) = self.waiting.pop() {
            let Some(list) = map.force()?.branch(self.hash, LEVELS)? else { continue };
            let (edit, prior) = match &**list.source()? {
                Source::Both { older, newer } => {
                    self.waiting.push(older.clone());
                    self.waiting.push(newer.clone());
                    continue;
                }
                Source::Edited { edit, prior, .. } => (edit, prior),
            };
            self.waiting.push(prior.clone());
            match edit {
                // Irrelevant: another key with the same hash.
                edit if edit.key() != self.key => {}
                Edit::Remove(_) => self.waiting.clear(),
                Edit::RemoveOne(_) => self.removals.push(None),
                Edit::RemoveValue(_, value) => self.removals.push(Some(value.clone())),
                Edit::Add(_, value) => {
                    let is_meant = |one: &Option<V>| one.as_ref().is_none_or(|one| one == value);
                    match self.removals.iter().rposition(is_meant) {
                        Some(removal) => drop(self.removals.remove(removal)),
                        None => return Ok(Some(value.clone())),
                    }
                }
            }
        }
        Ok(None)
    }
}

impl<'a, K, V, S> Iterator for Found<'a, '_, K, V, S>
where
    K: Clone + Eq + Send + Sync + 'a,
    V: Clone + PartialEq + Send + Sync + 'a,
{
    type Item = Result<V, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.look();
        if found.is_err() {
            self.waiting.clear();
        }
        found.transpose()
    }
}
