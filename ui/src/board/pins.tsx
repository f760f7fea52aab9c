import type { PinView } from "../api";
import { brightness } from "./brightness";

/** Pins that are written: an LED each, lit as the pin is. */
export function Pins({ pins }: { pins: Record<string, PinView> }) {
  const written = Object.entries(pins).filter(([, pin]) => pin.servo_degrees === null);
  if (written.length === 0) return null;
  return (
    <section class="part wide" aria-label="Pins">
      <h3>Pins</h3>
      <ul class="pins">
        {written.map(([number, pin]) => (
          <li key={number} data-pin={number} data-level={pin.level ?? "none"}>
            <span class={`led ${light(pin)}`} aria-hidden="true" ref={(led) => led?.style.setProperty("--light", String(brightness(pin)))} />
            <span class="mono">{number}</span>
            <span class="soft">{words(pin)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function light(pin: PinView): string {
  if (pin.direction === "input") return "input";
  return brightness(pin) > 0 ? "on" : "";
}

/** What the modes are called that say no direction before the pin is written. */
const MODES: Record<number, string> = { 2: "output", 5: "input with pull-up", 9: "input with pull-down" };

function words(pin: PinView): string {
  if (pin.pwm !== null) return `PWM ${pin.pwm}`;
  if (pin.level !== null) return pin.level;
  if (pin.direction !== null) return pin.direction;
  if (pin.mode === null) return "not used";
  return MODES[pin.mode] ?? `mode ${pin.mode}`;
}
