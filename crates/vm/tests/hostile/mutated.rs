//! Modules, images and saved machines in which bytes have been changed: an error, or something
//! that can be used like any other.

use std::sync::Arc;

use mw_vm::{ImageError, LoadError, Machine, Module, NoProbe, RestoreError};

use crate::common::generate::{self, Rng};
use crate::common::programs::{PROGRAMS, Program};
use crate::common::survive::{LIMITS, look, run, use_module};

/// Changes some bytes: to anything, by one bit or one, or by leaving out or doubling some.
fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>, from: usize) {
    for _ in 0..1 + rng.below(3) {
        if bytes.len() <= from {
            return;
        }
        let at = from + rng.below((bytes.len() - from) as u64) as usize;
        match rng.below(8) {
            0 => bytes[at] = rng.next() as u8,
            1 | 2 => bytes[at] ^= 1 << rng.below(8),
            3 => bytes[at] = bytes[at].wrapping_add(1),
            4 => bytes[at] = [0, 0x7f, 0x80, 0xff][rng.below(4) as usize],
            5 => drop(bytes.remove(at)),
            6 => bytes.insert(at, rng.next() as u8),
            _ => {
                let end = (at + 1 + rng.below(8) as usize).min(bytes.len());
                bytes.copy_within(at..end, from + (at - from) / 2);
            }
        }
    }
}

/// Modules to be damaged: the small programs, and some that were generated.
fn modules() -> Vec<Vec<u8>> {
    let mut modules: Vec<Vec<u8>> = PROGRAMS.iter().map(Program::binary).collect();
    let generated = (0..20).filter_map(|seed| generate::module(&Rng::new(seed).bytes(3000)));
    modules.extend(generated);
    modules
}

#[test]
fn mutated_modules_are_errors_or_modules() {
    let (mut accepted, mut refused) = (0, 0);
    for (number, module) in modules().into_iter().enumerate() {
        for seed in 0..500 {
            let mut rng = Rng::new(seed << 8 | number as u64);
            let mut binary = module.clone();
            mutate(&mut rng, &mut binary, 8);
            match Module::from_binary(&binary, &LIMITS) {
                Ok(module) => {
                    accepted += 1;
                    use_module(module, &mut rng);
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                    assert!(!matches!(error, LoadError::NotWasm));
                }
            }
        }
    }
    assert!(accepted > 1000 && refused > 1000, "{accepted} accepted, {refused} refused");
}

#[test]
fn random_bytes_are_errors() {
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let length = rng.below(300) as usize;
        let bytes = [b"\0asm\x01\0\0\0".to_vec(), rng.bytes(length)].concat();
        if let Ok(module) = Module::from_binary(&bytes, &LIMITS) {
            use_module(module, &mut rng);
        }
    }
}

/// Where the body of an image starts, after magic, version and checksum.
const IMAGE_HEADER: usize = 22;

/// Makes the checksum of an image right again.
fn sign(image: &mut [u8]) {
    if image.len() >= IMAGE_HEADER {
        let checksum = xxhash_rust::xxh3::xxh3_128(&image[IMAGE_HEADER..]);
        image[6..IMAGE_HEADER].copy_from_slice(&checksum.to_le_bytes());
    }
}

#[test]
fn damaged_image_is_noticed() {
    for program in PROGRAMS {
        let image = program.load().to_image(true);
        for seed in 0..100 {
            let mut rng = Rng::new(seed);
            let mut damaged = image.clone();
            mutate(&mut rng, &mut damaged, IMAGE_HEADER);
            if damaged != image {
                assert_eq!(Module::from_image(&damaged).unwrap_err(), ImageError::Checksum);
            }
        }
        for length in 0..image.len() {
            let error = Module::from_image(&image[..length]).unwrap_err();
            let expected =
                if length < IMAGE_HEADER { ImageError::NotAnImage } else { ImageError::Checksum };
            assert_eq!(error, expected, "{length} bytes");
        }
        let mut other = image.clone();
        other[0] = b'X';
        assert_eq!(Module::from_image(&other).unwrap_err(), ImageError::NotAnImage);
        let mut later = image;
        later[4] = 99;
        assert_eq!(
            Module::from_image(&later).unwrap_err().to_string(),
            "the image has format 99; this version reads format 1"
        );
    }
}

#[test]
fn forged_images_are_errors_or_modules() {
    let (mut accepted, mut refused) = (0, 0);
    for (number, binary) in modules().into_iter().enumerate() {
        let module = Module::from_binary(&binary, &LIMITS).unwrap();
        let image = module.to_image(number % 2 == 0);
        for seed in 0..500 {
            let mut rng = Rng::new(seed << 8 | number as u64);
            let mut forged = image.clone();
            mutate(&mut rng, &mut forged, IMAGE_HEADER);
            sign(&mut forged);
            match Module::from_image(&forged) {
                Ok(module) => {
                    accepted += 1;
                    use_module(module, &mut rng);
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                    assert_ne!(error, ImageError::Checksum);
                }
            }
        }
    }
    assert!(accepted > 1000 && refused > 1000, "{accepted} accepted, {refused} refused");
}

/// Saved machines in the middle of their programs.
fn saved() -> Vec<(Arc<Module>, Vec<u8>)> {
    let mut all = Vec::new();
    for program in PROGRAMS {
        for count in [0, 7, 20, 45, 10_000] {
            let mut session = program.start();
            session.run_to(count, &mut NoProbe);
            all.push((session.machine.module().clone(), session.machine.save()));
        }
    }
    all
}

#[test]
fn mutated_saved_machines_are_errors_or_machines() {
    let (mut accepted, mut refused) = (0, 0);
    for (number, (module, saved)) in saved().into_iter().enumerate() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed << 8 | number as u64);
            let mut bytes = saved.clone();
            // Most of the time the version and the fingerprint are left alone.
            let from = if rng.below(20) == 0 { 0 } else { 20 };
            mutate(&mut rng, &mut bytes, from);
            match Machine::restore(module.clone(), &bytes) {
                Ok(mut machine) => {
                    accepted += 1;
                    look(&mut machine);
                    run(&mut machine, &mut rng);
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    assert!(accepted > 500 && refused > 500, "{accepted} accepted, {refused} refused");
}

#[test]
fn truncated_saved_machines_are_errors() {
    for (module, saved) in saved() {
        for length in 0..saved.len() {
            let error = Machine::restore(module.clone(), &saved[..length]).unwrap_err();
            assert_eq!(error, RestoreError::Malformed, "{length} bytes");
        }
        let mut other = saved.clone();
        other[0] = 77;
        assert_eq!(
            Machine::restore(module.clone(), &other).unwrap_err().to_string(),
            "saved by a version that writes format 77; this one reads format 2"
        );
    }
}
