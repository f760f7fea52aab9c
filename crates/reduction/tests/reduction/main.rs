//! Explorations of small systems of actors, against what is known of them.

mod actors;
mod alternatives;
mod classes;
