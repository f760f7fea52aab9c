//! The algebra of domains against the obvious oracle: enumerate every value of a small window.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

const WINDOW: std::ops::RangeInclusive<i64> = -30..=30;

fn ranges() -> impl Strategy<Value = Vec<Range>> {
    prop::collection::vec(
        (-16i64..16, -2i64..8).prop_map(|(low, n)| Range::new(low, low + n)),
        1..6,
    )
}

fn oracle(ranges: &[Range]) -> BTreeSet<i64> {
    WINDOW.filter(|v| ranges.iter().any(|r| r.contains(*v))).collect()
}

fn float_domain(low: f64, high: f64) -> Domain {
    Domain::Floats(Floats::new(low, high).unwrap())
}

proptest! {
    #[test]
    fn integers_agree_with_enumeration(a in ranges(), b in ranges(), probe in WINDOW, bits: u64) {
        let (set_a, set_b) = (oracle(&a), oracle(&b));
        let domain = Integers::new(a);
        prop_assert_eq!(domain.is_none(), set_a.is_empty());
        let Some(domain) = domain else { return Ok(()) };

        prop_assert!(domain.ranges().windows(2).all(|w| w[0].high + 1 < w[1].low), "normal form");
        prop_assert_eq!(domain.values().collect::<BTreeSet<_>>(), set_a.clone());
        prop_assert_eq!(domain.count(), set_a.len() as u128);
        prop_assert_eq!(domain.contains(probe), set_a.contains(&probe));
        prop_assert_eq!(Some(&domain.smallest()), set_a.first());
        prop_assert_eq!(Some(&domain.largest()), set_a.last());
        let nearest = set_a.iter().copied().min_by_key(|v| v.abs_diff(probe));
        prop_assert_eq!(Some(domain.nearest(probe)), nearest);
        for (index, value) in set_a.iter().enumerate() {
            prop_assert_eq!(domain.nth(index as u128), *value);
        }
        let picked = Domain::Integers(domain.clone()).pick(bits, ValType::I64);
        prop_assert!(Domain::Integers(domain.clone()).contains(picked));

        let Some(other) = Integers::new(b) else { return Ok(()) };
        let both = domain.intersect(&other).map_or(BTreeSet::new(), |d| d.values().collect());
        prop_assert_eq!(both, &set_a & &set_b);
    }

    #[test]
    fn floats_agree_with_comparison(a: (f64, f64), b: (f64, f64), probe: f64, bits: u64) {
        let inside = |(low, high): (f64, f64), v: f64| low <= v && v <= high;
        let domain = Floats::new(a.0, a.1);
        prop_assert_eq!(domain.is_none(), a.0 > a.1);
        let (Some(floats), Some(other)) = (domain, Floats::new(b.0, b.1)) else { return Ok(()) };
        prop_assert_eq!(floats.contains(probe), inside(a, probe));
        prop_assert!(floats.contains(floats.nearest(probe)));
        let both = floats.intersect(&other);
        prop_assert_eq!(
            both.is_some_and(|d| d.contains(probe)),
            inside(a, probe) && inside(b, probe)
        );
        let domain = Domain::Floats(floats);
        prop_assert!(domain.contains(domain.pick(bits, ValType::F64)));
        if let Some(narrow) = domain.narrowed(ValType::F32) {
            prop_assert!(domain.contains(narrow.nearest(Value::from(probe as f32))));
            prop_assert!(domain.contains(narrow.pick(bits, ValType::F32)));
        }
    }

    #[test]
    fn domains_survive_storage(a in ranges(), ends: (f64, f64)) {
        let zero = [(0, "zero".to_owned())];
        let integers = Integers::new(a).map(|d| Domain::Integers(d.with_names(zero)));
        let floats = Floats::new(ends.0, ends.1).map(Domain::Floats);
        for domain in [integers, floats].into_iter().flatten() {
            let bytes = postcard::to_allocvec(&domain).unwrap();
            prop_assert_eq!(&postcard::from_bytes::<Domain>(&bytes).unwrap(), &domain);
            let json = serde_json::to_string(&domain).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Domain>(&json).unwrap(), &domain);
        }
    }
}

#[test]
fn text() {
    let named = |values: &[(i64, &str)]| {
        let set = Domain::set(values.iter().map(|(v, _)| *v)).unwrap();
        let Domain::Integers(set) = set else { unreachable!() };
        Domain::Integers(set.with_names(values.iter().map(|(v, name)| (*v, (*name).to_owned()))))
    };
    let ranges = |list: &[(i64, i64)]| {
        Domain::Integers(Integers::new(list.iter().map(|(l, h)| Range::new(*l, *h))).unwrap())
    };
    for (domain, expected) in [
        (ranges(&[(0, 4095)]), "0..4095"),
        (ranges(&[(0, 1)]), "{0, 1}"),
        (ranges(&[(7, 7)]), "{7}"),
        (ranges(&[(0, 0), (2, 2), (4, 4)]), "{0, 2, 4}"),
        (ranges(&[(-3, 3), (10, 10)]), "{-3..3, 10}"),
        (named(&[(0, "low"), (1, "high")]), "low|high"),
        (float_domain(0.0, 1.5), "0.0..1.5"),
        (float_domain(2.5, 2.5), "{2.5}"),
        (Domain::Floats(Floats::ANY), "any"),
    ] {
        assert_eq!(domain.to_string(), expected);
    }
    let refusal = ranges(&[(0, 4095)]).check(Value::I32(5000)).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "5000 is not one of the possible values 0..4095; the nearest is 4095"
    );
    let refusal = named(&[(0, "low"), (1, "high")]).check(Value::I32(7)).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "7 is not one of the possible values low|high; the nearest is high"
    );
}

#[test]
fn edges_of_the_types() {
    let all = Domain::all(ValType::I64).unwrap();
    assert_eq!(all.count(), 1 << 64);
    assert_eq!(all.pick(u64::MAX, ValType::I64), Value::I64(i64::MAX));
    assert_eq!(all.pick(0, ValType::I64), Value::I64(i64::MIN));
    assert_eq!(Domain::range(3, 2), None);
    assert!(!all.contains(Value::from(1.0)), "a float is not an integer");
    assert_eq!(all.intersect(&Domain::all(ValType::F64).unwrap()), None);
    assert_eq!(float_domain(0.0, 0.0).count(), 2, "both zeros");
    assert_eq!(float_domain(-0.0, 0.0), float_domain(0.0, -0.0));
    let odd_nan = Value::F32(0x7fc0_0001);
    assert_eq!(Domain::Floats(Floats::ANY).nearest(odd_nan), odd_nan, "exact bits");
    assert_eq!(Domain::only(odd_nan), None, "a NaN is not equal to itself: no range holds it");
}

#[test]
fn an_empty_domain_cannot_be_read_back() {
    for text in [
        r#"{"Integers":{"ranges":[],"names":{}}}"#,
        r#"{"Integers":{"ranges":[{"low":2,"high":1}],"names":{}}}"#,
        r#"{"Floats":[4611686018427387904,0]}"#,
    ] {
        let error = serde_json::from_str::<Domain>(text).unwrap_err();
        assert!(error.to_string().contains("empty"), "{text}: {error}");
    }
}
