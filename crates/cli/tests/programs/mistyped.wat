(module
  (func (export "main")
    (i32.ad (i32.const 1) (i32.const 2))))
