;; Nothing that is called by itself.
(module (func (export "setup")) (func (export "loop")) (memory (export "memory") 1))
