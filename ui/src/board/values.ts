import type { Value } from "../api";

const BITS = new DataView(new ArrayBuffer(8));

/** A value of the world; floats come as their bits. */
export function valueText(value: Value): string {
  if ("I32" in value) return String(value.I32);
  if ("I64" in value) return String(value.I64);
  if ("F32" in value) {
    BITS.setUint32(0, value.F32);
    return String(BITS.getFloat32(0));
  }
  if ("F64" in value) {
    BITS.setBigUint64(0, BigInt(value.F64));
    return String(BITS.getFloat64(0));
  }
  return JSON.stringify(value);
}
