//! A memory against the simplest model of one, with forks and hashes at any moment.

use mw_vm::{Memory, PAGE_SIZE, WASM_PAGE_SIZE};

use crate::common::generate::Rng;

struct Pair {
    memory: Memory,
    model: Vec<u8>,
}

impl Pair {
    fn fork(&mut self) -> Pair {
        Pair { memory: self.memory.fork(), model: self.model.clone() }
    }

    fn check(&self) {
        let bytes = self.memory.read_vec(0, self.memory.byte_size()).unwrap();
        assert!(bytes == self.model, "content");
    }
}

/// An address near a border as often as not, and sometimes outside.
fn address(rng: &mut Rng, size: u64) -> u64 {
    let border = [PAGE_SIZE as u64, WASM_PAGE_SIZE as u64][rng.below(2) as usize];
    match rng.below(3) {
        0 => rng.below(size + 10),
        1 => (rng.below(size / border + 1) * border).saturating_sub(rng.below(10)),
        _ => rng.below(20),
    }
}

fn length(rng: &mut Rng) -> u64 {
    match rng.below(4) {
        0 => rng.below(3 * PAGE_SIZE as u64),
        _ => rng.below(12),
    }
}

/// Does to both what the memory allows.
fn change(rng: &mut Rng, pair: &mut Pair) {
    let size = pair.model.len() as u64;
    let (at, from, count) = (address(rng, size), address(rng, size), length(rng));
    let range = |at: u64| at as usize..(at + count) as usize;
    let fits = at + count <= size;
    match rng.below(8) {
        0 => {
            let byte = rng.below(3) as u8;
            assert_eq!(pair.memory.fill(at, byte, count).is_ok(), fits);
            if fits {
                pair.model[range(at)].fill(byte);
            }
        }
        1 => {
            let fits = fits && from + count <= size;
            assert_eq!(pair.memory.copy_within(at, from, count).is_ok(), fits);
            if fits {
                pair.model.copy_within(range(from), at as usize);
            }
        }
        2 => {
            let delta = rng.below(3) as u32;
            let old = pair.memory.size();
            let expected = (old + delta <= pair.memory.maximum()).then_some(old);
            assert_eq!(pair.memory.grow(delta), expected);
            pair.model.resize(pair.memory.byte_size() as usize, 0);
        }
        3 => {
            assert_eq!(
                pair.memory.read_vec(at, count).ok(),
                pair.model.get(range(at)).map(<[u8]>::to_vec)
            );
        }
        _ => {
            let bytes = rng.bytes(count as usize);
            assert_eq!(pair.memory.write(at, &bytes).is_ok(), fits);
            if fits {
                pair.model[range(at)].copy_from_slice(&bytes);
            }
        }
    }
}

#[test]
fn memory_is_what_was_written_whatever_was_forked() {
    // Miri executes this thousands of times slower.
    let (seeds, changes, largest) = if cfg!(miri) { (1, 30, 2) } else { (60, 150, 40) };
    for seed in 0..seeds {
        let mut rng = Rng::new(seed);
        let maximum = 1 + rng.below(largest) as u32;
        let minimum = rng.below(maximum.min(20).into()) as u32;
        let memory = Memory::new(minimum, maximum);
        let model = vec![0; memory.byte_size() as usize];
        let mut pairs = vec![Pair { memory, model }];
        for _ in 0..changes {
            let index = rng.below(pairs.len() as u64) as usize;
            match rng.below(12) {
                0 if pairs.len() < 6 => {
                    let fork = pairs[index].fork();
                    pairs.push(fork);
                }
                1 if pairs.len() > 1 => drop(pairs.swap_remove(index)),
                2 => drop(pairs[index].memory.hash()),
                _ => change(&mut rng, &mut pairs[index]),
            }
        }
        for pair in &pairs {
            pair.check();
        }
        // Equality and hash say the same, and so does a memory that was written in one go.
        let mut copies: Vec<Pair> = Vec::new();
        for pair in &pairs {
            let mut memory = Memory::new(pair.memory.size(), maximum);
            memory.write(0, &pair.model).unwrap();
            copies.push(Pair { memory, model: pair.model.clone() });
        }
        pairs.append(&mut copies);
        let hashes: Vec<u128> = pairs.iter_mut().map(|pair| pair.memory.hash()).collect();
        for (i, one) in pairs.iter().enumerate() {
            for (j, other) in pairs.iter().enumerate() {
                let same = one.model == other.model;
                assert_eq!(one.memory == other.memory, same, "seed {seed}: {i} and {j}");
                // The size is part of the machine's hash, not of the memory's.
                if one.model.len() == other.model.len() {
                    assert_eq!(hashes[i] == hashes[j], same, "seed {seed}: {i} and {j}");
                }
            }
        }
    }
}

#[test]
fn accesses_outside_say_where() {
    let mut memory = Memory::new(1, 2);
    let error = memory.write(65_530, &[0; 7]).unwrap_err();
    assert_eq!(error.to_string(), "address 0xfffa (+7) is outside of the memory of 0x10000 bytes");
    assert!(memory.read(u64::MAX, &mut [0; 2]).is_err());
    assert!(memory.fill(1, 0, u64::MAX).is_err());
    assert!(memory.copy_within(0, u64::MAX - 1, 2).is_err());
    assert!(memory.read_vec(0, u64::MAX).is_err());
    assert_eq!(memory.grow(2), None);
    assert_eq!(memory.grow(u32::MAX), None);
    assert_eq!(memory.grow(1), Some(1));
    assert_eq!(memory.byte_size(), 131_072);
}
