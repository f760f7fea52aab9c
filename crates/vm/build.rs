//! Decides how the interpreter goes from one op to the next.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(mw_tail_calls)");
    let variable = |name| std::env::var(name).unwrap_or_default();
    // LLVM turns the call of the next op's handler into a jump when it optimises, on these. Miri
    // does not.
    let optimised = !matches!(variable("OPT_LEVEL").as_str(), "0" | "1");
    let known = matches!(variable("CARGO_CFG_TARGET_ARCH").as_str(), "x86_64" | "aarch64");
    let interpreted = std::env::var_os("CARGO_CFG_MIRI").is_some();
    if optimised && known && !interpreted {
        println!("cargo::rustc-cfg=mw_tail_calls");
    }
}
