//! Finding types in the sources of crates.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, Result};
use syn::{Attribute, ImplItem, Item, ItemImpl, UseTree};

/// Where a type is: its crate and its number among the types of all crates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeId(usize);

/// A type that serde can write, or another name for one.
pub struct Type {
    pub krate: String,
    pub name: String,
    pub item: Item,
    file: Rc<File>,
}

/// What is known in one file: the crate from which a name is used.
struct File {
    uses: HashMap<String, String>,
}

/// All types of the crates that have been read.
#[derive(Default)]
pub struct Types {
    types: Vec<Type>,
    by_name: BTreeMap<String, Vec<TypeId>>,
    /// What requests are answered with, by the crate and name of their types.
    replies: HashMap<(String, String), syn::Type>,
}

impl Types {
    /// Reads all files of a crate.
    pub fn read_crate(&mut self, krate: &str, folder: &Path) -> Result<()> {
        for path in crate::examples::entries(folder)? {
            if path.is_dir() {
                self.read_crate(krate, &path)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path)?;
                let read = self.read_file(krate, &text);
                read.with_context(|| format!("{} cannot be read", path.display()))?;
            }
        }
        Ok(())
    }

    /// Reads a file of a crate.
    pub fn read_file(&mut self, krate: &str, text: &str) -> Result<()> {
        let items = syn::parse_file(text)?.items;
        let mut uses = HashMap::new();
        for item in &items {
            if let Item::Use(item) = item {
                note_uses(&item.tree, krate, None, &mut uses);
            }
        }
        let file = Rc::new(File { uses });
        for item in items {
            let item = match item {
                // What a macro is given may be an enum as well.
                Item::Macro(given) => match given.mac.parse_body() {
                    Ok(found) => Item::Enum(found),
                    Err(_) => continue,
                },
                Item::Impl(item) => {
                    self.note_reply(krate, item);
                    continue;
                }
                item => item,
            };
            let (name, can_be_written) = match &item {
                Item::Struct(item) => (item.ident.to_string(), can_be_written(&item.attrs)),
                Item::Enum(item) => (item.ident.to_string(), can_be_written(&item.attrs)),
                Item::Type(item) => (item.ident.to_string(), true),
                _ => continue,
            };
            if !can_be_written {
                continue;
            }
            let id = TypeId(self.types.len());
            self.by_name.entry(name.clone()).or_default().push(id);
            self.types.push(Type { krate: krate.into(), name, item, file: file.clone() });
        }
        Ok(())
    }

    /// Notes what a request is answered with: `impl Ask for Step { type Reply = Stopped; … }`.
    fn note_reply(&mut self, krate: &str, item: ItemImpl) {
        let syn::Type::Path(asked) = &*item.self_ty else { return };
        let is_ask = item.trait_.is_some_and(|(_, path, _)| path.is_ident("Ask"));
        let Some(name) = asked.path.get_ident().filter(|_| is_ask) else { return };
        let key = (krate.to_owned(), name.to_string());
        let reply = item.items.into_iter().find_map(|item| match item {
            ImplItem::Type(item) if item.ident == "Reply" => Some(item.ty),
            _ => None,
        });
        self.replies.extend(reply.map(|reply| (key, reply)));
    }

    /// What a request is answered with, if the type is one.
    pub fn reply_to(&self, id: TypeId) -> Option<&syn::Type> {
        let found = self.get(id);
        self.replies.get(&(found.krate.clone(), found.name.clone()))
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0]
    }

    /// The type of a name in a crate.
    pub fn in_crate(&self, krate: &str, name: &str) -> Option<TypeId> {
        let known = self.by_name.get(name)?;
        known.iter().find(|id| self.get(**id).krate == krate).copied()
    }

    /// The type that a name stands for where another type is defined.
    pub fn seen_from(&self, from: TypeId, name: &str) -> Option<TypeId> {
        let from = self.get(from);
        match from.file.uses.get(name) {
            Some(krate) => self.in_crate(krate, name),
            None => self.in_crate(&from.krate, name),
        }
    }
}

fn can_be_written(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else { return false };
        list.path.is_ident("derive") && list.tokens.to_string().contains("Serialize")
    })
}

/// Notes from which crate each name is used.
fn note_uses(tree: &UseTree, own: &str, root: Option<&str>, uses: &mut HashMap<String, String>) {
    match tree {
        UseTree::Path(path) => {
            let first = path.ident.to_string();
            let root = root.map(str::to_owned).unwrap_or_else(|| match first.as_str() {
                "crate" | "self" | "super" => own.to_owned(),
                other => other.trim_start_matches("mw_").to_owned(),
            });
            note_uses(&path.tree, own, Some(&root), uses);
        }
        UseTree::Name(name) => {
            if let Some(root) = root {
                uses.insert(name.ident.to_string(), root.to_owned());
            }
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                note_uses(tree, own, root, uses);
            }
        }
        UseTree::Rename(_) | UseTree::Glob(_) => {}
    }
}
