/** Memory in hexadecimal, with what has changed since the last place. */
import { computed, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { many } from "../format/values";
import { chosenFrame } from "../state/queries";
import { query, useQuery } from "../state/query";
import { ask } from "../state/session";
import { changedBytes, ascii, hexByte, parseAddress, rowsOf } from "./bytes";
import { Empty, Failed } from "./parts";

const LENGTH = 512;
const start = signal(0);

const bytes = query(
  () => ({ address: start.value }),
  ({ address }) => ask({ request: "read-memory", address, length: LENGTH }),
);
const size = computed(() => bytes.answer.value.data?.size ?? 0);

/** The address that is meant: a number, or something of the source that is in memory or leads there. */
async function addressOf(text: string): Promise<number> {
  const number = parseAddress(text);
  if (number !== null) return number;
  const found = await ask({ request: "evaluate", expression: text, frame: chosenFrame.value });
  const address = found.address ?? parseAddress(found.value);
  if (address === null) throw new Error(`${text} is ${found.value}, and not in memory.`);
  return address;
}

export function MemoryPane() {
  const { data, error } = useQuery(bytes);
  const marks = changedBytes(data?.changed ?? []);
  const [problem, setProblem] = useState<string | null>(null);
  const goTo = (address: number) => {
    setProblem(null);
    start.value = Math.max(0, Math.min(address, size.value - 16)) & ~15;
  };
  const go = (event: Event) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("address") as HTMLInputElement;
    addressOf(field.value).then(goTo, (error: Error) => setProblem(error.message));
  };
  const move = (by: number) => goTo(start.value + by);
  if (data?.size === 0) {
    return (
      <div class="pane">
        <Empty title="No memory">This program has none.</Empty>
      </div>
    );
  }
  return (
    <div class="pane">
      <form class="bar" onSubmit={go}>
        <input name="address" class="mono" size={12} aria-label="Address" placeholder="address or name" />
        <button type="submit">Go</button>
        <button type="button" class="plain" aria-label="Earlier" onClick={() => move(-LENGTH)}>
          ▲
        </button>
        <button type="button" class="plain" aria-label="Later" onClick={() => move(LENGTH)}>
          ▼
        </button>
        <span class="grow" />
        <span class="soft">
          {marks.size > 0 ? `${many(marks.size, "byte")} changed` : many(size.value, "byte")}
        </span>
      </form>
      <div class="content" tabIndex={0} role="region" aria-label="Bytes">
        {(problem ?? error) !== null && <Failed text={(problem ?? error)!} />}
        {data !== null && (
          <table class="memory mono">
            <tbody>
              {rowsOf(data).map((row) => (
                <tr key={row.address}>
                  <th scope="row">{row.address.toString(16).padStart(6, "0")}</th>
                  {row.bytes.map((byte, index) => (
                    <td key={index} class={marks.has(row.address + index) ? "changed" : byte === 0 ? "zero" : ""}>
                      {hexByte(byte)}
                    </td>
                  ))}
                  <td class="ascii">{row.bytes.map(ascii).join("")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  );
}
