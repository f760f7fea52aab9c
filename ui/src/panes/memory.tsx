/** Memory as bytes, numbers or text, with what has changed since the last place. */
import { computed, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { count, many } from "../format/values";
import { chosenFrame } from "../state/queries";
import { query, useQuery } from "../state/query";
import { ask } from "../state/session";
import { changedBytes, ascii, hexByte, parseAddress, rowsOf, type Stretch } from "./bytes";
import { Empty, Failed } from "./parts";
import { elementsOf, VIEWS, viewNamed, type View } from "./typed";

const LENGTH = 512;
const start = signal(0);
const view = signal<View>("hex");

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
  const address = found.content?.address ?? found.address ?? parseAddress(found.value);
  if (address === null) throw new Error(`${text} is ${found.value}, and not in memory.`);
  return address;
}

export function MemoryPane() {
  const { data, error } = useQuery(bytes);
  const marks = changedBytes(data?.changed ?? []);
  const [problem, setProblem] = useState<string | null>(null);
  const goTo = (address: number) => {
    setProblem(null);
    // Before the first answer it is not known how much there is; what is too far is said then.
    const last = data === null ? address : size.value - 16;
    start.value = Math.max(0, Math.min(address, last)) & ~15;
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
        <Empty title="No memory">This program has none, or an empty one.</Empty>
      </div>
    );
  }
  return (
    <div class="pane">
      <form class="bar" onSubmit={go}>
        <input name="address" class="mono" size={15} aria-label="Address" placeholder="address or name" />
        <button type="submit">Go</button>
        <button type="button" class="plain" aria-label="Earlier" onClick={() => move(-LENGTH)}>
          ▲
        </button>
        <button type="button" class="plain" aria-label="Later" onClick={() => move(LENGTH)}>
          ▼
        </button>
        <select aria-label="How memory is shown" value={view.value} onChange={(event) => (view.value = viewNamed(event.currentTarget.value) ?? "hex")}>
          {VIEWS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <span class="grow" />
        <span class="soft">
          {marks.size > 0 ? `${many(marks.size, "byte")} changed` : `${count(size.value / 1024)} KiB`}
        </span>
      </form>
      <div class="content" tabIndex={0} role="region" aria-label="Bytes">
        {(problem ?? error) !== null && <Failed text={(problem ?? error)!} />}
        {data !== null && (view.value === "hex" ? <Bytes of={data} marks={marks} /> : <Typed of={data} as={view.value} marks={marks} />)}
      </div>
    </div>
  );
}

const shownAddress = (address: number) => <th scope="row">{address.toString(16).padStart(6, "0")}</th>;

function Bytes({ of, marks }: { of: Stretch; marks: ReadonlySet<number> }) {
  return (
    <table class="memory bytes mono">
      <tbody>
        {rowsOf(of).map((row) => (
          <tr key={row.address}>
            {shownAddress(row.address)}
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
  );
}

/** Numbers in rows of 16 bytes; texts in a row each. */
function Typed({ of, as, marks }: { of: Stretch; as: View; marks: ReadonlySet<number> }) {
  const isText = as === "C string";
  // Zeros between texts are no texts.
  const rows = isText
    ? elementsOf(of.bytes, as).filter((one) => one.length > 1).map((one) => ({ address: of.address + one.offset, elements: [{ ...one, offset: 0 }] }))
    : rowsOf(of).map((row) => ({ address: row.address, elements: elementsOf(row.bytes, as) }));
  const hasChanged = (first: number, length: number) => Array.from({ length }, (_, at) => first + at).some((at) => marks.has(at));
  return (
    <table class={`memory mono ${isText ? "texts" : "numbers"}`}>
      <tbody>
        {rows.map(({ address, elements }) => (
          <tr key={address}>
            {shownAddress(address)}
            {elements.map(({ offset, length, text }) => (
              <td key={offset} class={hasChanged(address + offset, length) ? "changed" : text === "0" ? "zero" : ""}>
                {text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
