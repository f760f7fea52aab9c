;; So many senders, each of which tells one of so many receivers who it is. With as many receivers
;; as senders no turn has to do with another one; with one receiver every order is heard.
(module
  (import "actor" "spawn" (func $spawn (param i32 i32 i32 i32) (result i32)))
  (import "actor" "tell" (func $tell (param i32 i32 i32 i32 i32)))
  (memory 1)
  (data (i32.const 0) "receiver")
  (data (i32.const 8) "sender")
  (data (i32.const 16) "note")
  ;; What a receiver has heard, in order.
  (global $heard (mut i32) (i32.const 0))

  (func (export "main") (param $senders i32) (param $receivers i32)
    (local $number i32)
    ;; The addresses of receivers are from 128 on, what a sender begins with is at 64.
    (loop $each
      (i32.store offset=128
        (i32.shl (local.get $number) (i32.const 2))
        (call $spawn (i32.const 0) (i32.const 8) (i32.const 0) (i32.const 0)))
      (local.set $number (i32.add (local.get $number) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $number) (local.get $receivers))))
    (local.set $number (i32.const 0))
    (loop $each
      (i32.store offset=64 (i32.const 0)
        (i32.load offset=128
          (i32.shl (i32.rem_u (local.get $number) (local.get $receivers)) (i32.const 2))))
      (local.set $number (i32.add (local.get $number) (i32.const 1)))
      (i32.store offset=68 (i32.const 0) (local.get $number))
      (drop (call $spawn (i32.const 8) (i32.const 6) (i32.const 64) (i32.const 8)))
      (br_if $each (i32.lt_u (local.get $number) (local.get $senders)))))

  (func (export "sender.init") (param $receiver i32) (param $number i32)
    (i32.store offset=64 (i32.const 0) (local.get $number))
    (call $tell (local.get $receiver) (i32.const 16) (i32.const 4) (i32.const 64) (i32.const 4)))

  (func (export "receiver.note") (param $number i32)
    (global.set $heard
      (i32.add (i32.mul (global.get $heard) (i32.const 8)) (local.get $number)))))
