import type { WorldView } from "../api";
import { valueText } from "./values";

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
