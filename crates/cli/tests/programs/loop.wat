;; Never ends and never asks for anything.
(module (func (export "main") (loop $again (br $again))))
