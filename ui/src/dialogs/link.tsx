import type { LinkView } from "../api";
import { FIGURES, linkWords } from "../format/link";
import { count, many } from "../format/values";
import { close } from "../state/dialogs";
import { query, useQuery } from "../state/query";
import { ask } from "../state/session";

/** Asked when the dialog opens: the device has to answer for its side. */
const link = query(
  () => true,
  () => ask({ request: "link" }),
);

/** The link to the device, in the figures of both sides. */
export function LinkFigures() {
  const { data, error } = useQuery(link);
  return (
    <div class="body">
      <h2>Link to the device</h2>
      {error !== null && <p>{error}</p>}
      {data === null ? error === null && <p>Asking the device…</p> : <Figures of={data} />}
      <div class="buttons">
        <button type="button" onClick={close} autofocus>
          Close
        </button>
      </div>
    </div>
  );
}

function Figures({ of }: { of: LinkView }) {
  return (
    <>
      <p>
        <strong>{of.device}</strong> at <code>{of.address}</code>, with {count(of.memory)} bytes for a program
      </p>
      <p class={`link-state ${of.link.state}`}>The link is {linkWords(of.link)}.</p>
      <table class="rows figures">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden-label">Figure</span>
            </th>
            <th scope="col">Host</th>
            <th scope="col">Device</th>
          </tr>
        </thead>
        <tbody>
          {FIGURES.map(([name, key]) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{count(of.host[key])}</td>
              <td>{of.device_side === null ? "?" : count(of.device_side[key])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {of.stalls !== null && of.stalls > 0 && <p>The program had to wait {many(of.stalls, "time")} for the link.</p>}
    </>
  );
}
