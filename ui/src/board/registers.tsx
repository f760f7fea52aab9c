import type { Value, WorldView } from "../api";

/** What a world file keeps in registers: the panel of worlds without a board. */
export function Registers({ world }: { world: WorldView }) {
  const registers = Object.entries(world.registers);
  if (registers.length === 0) return null;
  return (
    <section class="part wide" aria-label="Registers">
      <h3>{world.board === null ? `World ${world.world}` : "Registers"}</h3>
      <table class="rows">
        <tbody>
          {registers.map(([name, value]) => (
            <tr key={name}>
              <td class="mono">{name}</td>
              <td class="mono">{valueText(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

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
