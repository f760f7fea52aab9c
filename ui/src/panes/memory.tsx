/** Memory in hexadecimal, with what has changed since the last place. */
import { computed, signal } from "@preact/signals";
import { many } from "../format/values";
import { query, useQuery } from "../state/query";
import { ask } from "../state/session";
import { changedBytes, ascii, hexByte, parseAddress, rowsOf } from "./bytes";
import { Empty, Failed } from "./parts";

const LENGTH = 512;
const start = signal(0);

const bytes = query(
  () => ({ address: start.value }),
  ({ address }) => ask({ request: "read-memory", address, length: LENGTH }, "memory"),
);
const size = computed(() => bytes.answer.value.data?.size ?? 0);

export function MemoryPane() {
  const { data, error } = useQuery(bytes);
  const marks = changedBytes(data?.changed ?? []);
  const go = (event: Event) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("address") as HTMLInputElement;
    const address = parseAddress(field.value);
    if (address !== null) start.value = Math.max(0, Math.min(address, size.value)) & ~15;
  };
  const move = (by: number) => (start.value = Math.max(0, Math.min(start.value + by, Math.max(0, size.value - 16))) & ~15);
  return (
    <div class="pane">
      <form class="bar" onSubmit={go}>
        <input name="address" class="mono" size={12} aria-label="Address" placeholder="address" />
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
        {error !== null && <Failed text={error} />}
        {data !== null && data.size === 0 && <Empty title="No memory">This program has none.</Empty>}
        {data !== null && data.size > 0 && (
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
