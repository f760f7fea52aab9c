;; Calls itself until there is no room left.
(module (func $down (export "main") (call $down)))
