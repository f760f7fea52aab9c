;; Correct text, but not a valid module: a value is missing.
(module (func $bad (export "main") (result i32)))
