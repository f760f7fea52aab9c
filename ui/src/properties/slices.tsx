/** The slices of a property as a table: searched and cut into pages by the debugger, however many there are. */
import type { SlicesView, SliceView } from "../api";
import { IconButton } from "../chrome/button";
import { count, many } from "../format/values";
import { Empty, Failed } from "../panes/parts";
import { useQuery } from "../state/query";
import { named } from "./model";
import { PAGE, searched, searchSlices, skipped, slice, slices } from "./state";

export function Slices() {
  const { data, error } = useQuery(slices);
  return (
    <>
      <div class="bar">
        <input
          class="mono grow"
          type="search"
          aria-label="Search slices"
          placeholder="Search slices: values, a state, variables"
          value={searched.value}
          onInput={(event) => searchSlices(event.currentTarget.value)}
        />
        {data !== null && <Pages view={data} />}
      </div>
      {error !== null && <Failed text={error} />}
      <div class="content" tabIndex={0} role="region" aria-label="Slices">
        {data !== null && (data.slices.length === 0 ? <None view={data} /> : <Table view={data} />)}
      </div>
    </>
  );
}

function None({ view }: { view: SlicesView }) {
  if (view.total > 0) return <Empty title="Nothing found">None of {many(view.total, "slice")} has that in it.</Empty>;
  return <Empty title="No slices">A slice comes up with the first event that is about it.</Empty>;
}

function Pages({ view }: { view: SlicesView }) {
  const { matching, total } = view;
  const [from, to] = [skipped.value, skipped.value + view.slices.length];
  const found = matching === total ? "" : ` found, ${count(total)} in all`;
  return (
    <>
      <span class="soft pages" role="status">
        {matching <= PAGE ? many(matching, "slice") : `${count(from + 1)}–${count(to)} of ${count(matching)}`}
        {found}
      </span>
      {matching > PAGE && (
        <>
          <IconButton icon="play-back" label="The slices before these" disabled={from === 0} onClick={() => (skipped.value = Math.max(0, from - PAGE))} />
          <IconButton icon="play" label="The slices after these" disabled={to >= matching} onClick={() => (skipped.value = from + PAGE)} />
        </>
      )}
    </>
  );
}

function Table({ view }: { view: SlicesView }) {
  return (
    <table class="rows slices">
      <thead>
        <tr>
          <th scope="col">Slice</th>
          <th scope="col">State</th>
          <th scope="col">Variables</th>
        </tr>
      </thead>
      <tbody>
        {view.slices.map((one) => (
          <Row key={one.id} one={one} isOnly={view.total === 1} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ one, isOnly }: { one: SliceView; isOnly: boolean }) {
  const isChosen = slice.value === one.id;
  const [about, variables] = [named(one.instance), named(one.variables)];
  return (
    <tr class={isChosen ? "chosen-frame" : ""}>
      <td title={`${about}${about === "" ? "" : ": "}${isChosen ? "look at all slices again" : "look at this slice alone, and at what moved it"}`}>
        <button
          type="button"
          class="link mono"
          aria-pressed={isChosen}
          onClick={() => (slice.value = isChosen ? null : one.id)}
        >
          {about !== "" ? about : isOnly ? "the only one" : "everything else"}
        </button>
      </td>
      <td>
        <span class={`badge ${one.accepting ? "end" : "trap"}`} title={one.accepting ? "accepting" : "not accepting"}>
          {one.state}
        </span>
      </td>
      <td class="mono" title={variables}>
        {variables}
      </td>
    </tr>
  );
}
