// What must be so. Where it is not, `mw check` has found something.

@external("owi", "assert")
export declare function must(condition: bool): void;
