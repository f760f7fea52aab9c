//! Bits that a SAT solver decides, and gates over them.
//!
//! Equal gates are one, and a gate whose value follows from its operands' being constant, equal or
//! opposite is not made at all: an operation with a number as its operand costs only what the
//! number leaves open.
//!
//! **Invariant:** clauses only define gates and keep inputs within their domains, so without
//! assumptions they can always be satisfied.

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Not;

use batsat::{Callbacks, Lit, Solver, SolverInterface, Var, lbool};

use crate::stop::Stop;

/// A truth value: a constant, a variable of the SAT solver, or the opposite of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bit(u32);

impl Bit {
    /// Always true. The SAT solver's first variable stands for it.
    pub const TRUE: Bit = Bit(0);
    /// Never true.
    pub const FALSE: Bit = Bit(1);

    /// The constant for a truth value.
    pub fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    /// Its value, if it is a constant.
    pub fn value(self) -> Option<bool> {
        (self.0 <= 1).then_some(self == Bit::TRUE)
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The same bit, or its opposite.
    fn flipped_if(self, flip: bool) -> Bit {
        Bit(self.0 ^ u32::from(flip))
    }

    fn literal(self) -> Lit {
        Lit::new(Var::unsafe_from_idx(self.0 >> 1), !self.is_negated())
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        self.flipped_if(true)
    }
}

/// A number, its lowest bit first.
pub type Word = Vec<Bit>;

/// A gate's operation and operands in a form that is the same for all gates that are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Bit, Bit),
    Xor(Bit, Bit),
    Mux(Bit, Bit, Bit),
    Xor3(Bit, Bit, Bit),
    Majority(Bit, Bit, Bit),
}

/// Mixes the small numbers that gates consist of; nobody outside chooses them.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }
}

/// So many steps of a search pass between two looks at whether to give up.
const STEPS: u32 = 64;

/// When a search is to give up.
#[derive(Debug, Default)]
struct Watch {
    stop: Stop,
    steps: Cell<u32>,
    /// It may be asked again after it was told to give up.
    is_over: Cell<bool>,
}

impl Callbacks for Watch {
    fn stop(&self) -> bool {
        let steps = self.steps.get();
        self.steps.set((steps + 1) % STEPS);
        if steps == 0 && self.stop.is_over() {
            self.is_over.set(true);
        }
        self.is_over.get()
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Values for all bits; see [`Gates::model`].
    Model,
    /// There are none.
    Nothing,
    /// It was told to give up.
    Stopped,
}

/// Gates and the SAT solver that they are clauses of.
pub struct Gates {
    solver: Solver<Watch>,
    gates: HashMap<Gate, Bit, BuildHasherDefault<Mixer>>,
    wide: HashMap<Box<[Bit]>, Bit, RandomState>,
    clause: Vec<Lit>,
}

impl Default for Gates {
    fn default() -> Gates {
        let mut gates = Gates {
            solver: Solver::default(),
            gates: HashMap::default(),
            wide: HashMap::default(),
            clause: Vec::new(),
        };
        // The variable behind the constants.
        let constant = gates.fresh();
        gates.require(&[constant]);
        gates
    }
}

impl Gates {
    /// A bit that nothing is known of.
    pub fn fresh(&mut self) -> Bit {
        Bit(self.solver.new_var_default().idx() << 1)
    }

    /// How many clauses there are.
    pub fn clauses(&self) -> u64 {
        self.solver.num_clauses()
    }

    /// About how many bytes they take.
    pub fn held(&self) -> usize {
        let wide: usize = self.wide.keys().map(|bits| 96 + size_of_val(&bits[..])).sum();
        // Three literals on average, which are watched, and as much again for what is learnt.
        let clauses = self.solver.num_clauses() as usize * 2 * 48;
        clauses + self.solver.num_vars() as usize * 96 + self.gates.len() * 32 + wide
    }

    /// Looks for values of all bits such that these are true.
    pub fn search(&mut self, assumptions: &[Bit], stop: &Stop) -> Found {
        *self.solver.cb_mut() = Watch { stop: stop.clone(), ..Watch::default() };
        let literals: Vec<Lit> = assumptions.iter().map(|bit| bit.literal()).collect();
        match self.solver.solve_limited(&literals) {
            found if found == lbool::TRUE => Found::Model,
            found if found == lbool::FALSE => Found::Nothing,
            _ => Found::Stopped,
        }
    }

    /// The value of a bit in the model that was found last.
    pub fn model(&self, bit: Bit) -> bool {
        self.solver.value_lit(bit.literal()) == lbool::TRUE
    }

    /// Requires that one of these is true.
    pub fn require(&mut self, one_of: &[Bit]) {
        self.clause.clear();
        self.clause.extend(one_of.iter().map(|bit| bit.literal()));
        self.solver.add_clause_reuse(&mut self.clause);
    }

    /// The output of a gate; its clauses are stated when it is met for the first time.
    fn gate(&mut self, gate: Gate, define: impl FnOnce(&mut Gates, Bit)) -> Bit {
        if let Some(&known) = self.gates.get(&gate) {
            return known;
        }
        let output = self.fresh();
        self.gates.insert(gate, output);
        define(self, output);
        output
    }

    /// Both.
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = (a.min(b), a.max(b));
        match a {
            Bit::TRUE => return b,
            Bit::FALSE => return Bit::FALSE,
            _ if a == b => return a,
            _ if a == !b => return Bit::FALSE,
            _ => {}
        }
        self.gate(Gate::And(a, b), |gates, output| {
            gates.require(&[!output, a]);
            gates.require(&[!output, b]);
            gates.require(&[output, !a, !b]);
        })
    }

    /// One or both.
    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    /// One, not both.
    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let flip = a.is_negated() != b.is_negated();
        let (a, b) = (a.flipped_if(a.is_negated()), b.flipped_if(b.is_negated()));
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return Bit::constant(flip);
        }
        if a == Bit::TRUE {
            return (!b).flipped_if(flip);
        }
        let output = self.gate(Gate::Xor(a, b), |gates, output| {
            gates.require(&[!output, a, b]);
            gates.require(&[!output, !a, !b]);
            gates.require(&[output, !a, b]);
            gates.require(&[output, a, !b]);
        });
        output.flipped_if(flip)
    }

    /// `then` if the condition holds, else `otherwise`.
    pub fn mux(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        let flip = condition.is_negated();
        let (c, t, e) = match flip {
            true => (!condition, otherwise, then),
            false => (condition, then, otherwise),
        };
        // In each case, the condition is known.
        let t = if t == c {
            Bit::TRUE
        } else if t == !c {
            Bit::FALSE
        } else {
            t
        };
        let e = if e == c {
            Bit::FALSE
        } else if e == !c {
            Bit::TRUE
        } else {
            e
        };
        match (c, t, e) {
            (Bit::TRUE, ..) => return t,
            _ if t == e => return t,
            _ if t == !e => return self.xor(c, e),
            (_, Bit::TRUE, _) => return self.or(c, e),
            (_, Bit::FALSE, _) => return self.and(!c, e),
            (_, _, Bit::TRUE) => return self.or(!c, t),
            (_, _, Bit::FALSE) => return self.and(c, t),
            _ => {}
        }
        let flip = t.is_negated();
        let (t, e) = (t.flipped_if(flip), e.flipped_if(flip));
        let output = self.gate(Gate::Mux(c, t, e), |gates, output| {
            gates.require(&[!c, !t, output]);
            gates.require(&[!c, t, !output]);
            gates.require(&[c, !e, output]);
            gates.require(&[c, e, !output]);
            // These follow, but not by propagation.
            gates.require(&[!t, !e, output]);
            gates.require(&[t, e, !output]);
        });
        output.flipped_if(flip)
    }

    /// An odd number of them: the sum of a full adder.
    pub fn xor3(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let flip = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut operands = [a, b, c].map(|bit| bit.flipped_if(bit.is_negated()));
        operands.sort_unstable();
        let [a, b, c] = operands;
        if a == Bit::TRUE || a == b || b == c {
            let rest = if b == c { Bit::FALSE } else { self.xor(a, b) };
            let last = if b == c { a } else { c };
            return self.xor(rest, last).flipped_if(flip);
        }
        let output = self.gate(Gate::Xor3(a, b, c), |gates, output| {
            for row in 0..8u32 {
                let [x, y, z] = [(a, 1), (b, 2), (c, 4)].map(|(bit, mask)| {
                    // Not what the row says: the clause is about all other rows.
                    bit.flipped_if(row & mask != 0)
                });
                gates.require(&[x, y, z, output.flipped_if(row.count_ones() % 2 == 0)]);
            }
        });
        output.flipped_if(flip)
    }

    /// At least two of them: the carry of a full adder.
    pub fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut operands = [a, b, c];
        operands.sort_unstable();
        let [a, b, c] = operands;
        match a {
            Bit::TRUE => return self.or(b, c),
            Bit::FALSE => return self.and(b, c),
            _ if a == b => return a,
            _ if a == !b => return c,
            _ if b == c => return b,
            _ if b == !c => return a,
            _ => {}
        }
        // The majority of the opposites is the opposite of the majority.
        let flip = a.is_negated();
        let [a, b, c] = [a, b, c].map(|bit| bit.flipped_if(flip));
        let output = self.gate(Gate::Majority(a, b, c), |gates, output| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                gates.require(&[!x, !y, output]);
                gates.require(&[x, y, !output]);
            }
        });
        output.flipped_if(flip)
    }

    /// All of them.
    pub fn all(&mut self, bits: &[Bit]) -> Bit {
        let mut bits: Vec<Bit> = bits.iter().copied().filter(|&bit| bit != Bit::TRUE).collect();
        bits.sort_unstable();
        bits.dedup();
        if bits.first() == Some(&Bit::FALSE) || bits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Bit::FALSE;
        }
        match bits[..] {
            [] => return Bit::TRUE,
            [only] => return only,
            [a, b] => return self.and(a, b),
            _ => {}
        }
        if let Some(&known) = self.wide.get(&bits[..]) {
            return known;
        }
        let output = self.fresh();
        let mut clause = vec![output];
        for &bit in &bits {
            self.require(&[!output, bit]);
            clause.push(!bit);
        }
        self.require(&clause);
        self.wide.insert(bits.into(), output);
        output
    }

    /// At least one of them.
    pub fn any(&mut self, bits: &[Bit]) -> Bit {
        let opposites: Vec<Bit> = bits.iter().map(|&bit| !bit).collect();
        !self.all(&opposites)
    }
}
