import type { PinView } from "../api";

/** How bright an LED on the pin is, from 0 to 1. */
export function brightness(pin: PinView): number {
  if (pin.pwm !== null) return Math.min(1, Math.max(0, pin.pwm / 255));
  return pin.level === "high" ? 1 : 0;
}
