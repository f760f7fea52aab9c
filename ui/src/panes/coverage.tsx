/** What exploring has reached of the program: lines, functions, and the ways on from branches. */
import type { BranchCoverage, CoverageView } from "../api";
import { share } from "../format/values";
import { coverage } from "../state/queries";
import { useQuery } from "../state/query";
import { Empty } from "./parts";

export function CoveragePane() {
  const { data } = useQuery(coverage);
  return (
    <div class="pane">
      <div class="content">
        {data === null ? (
          <Empty title="Nothing has been noted">
            Suggest paths, and let it be noted what is reached: then lines and branches are shown here that no universe
            has come to.
          </Empty>
        ) : (
          <Reached found={data} />
        )}
      </div>
    </div>
  );
}

function Reached({ found }: { found: CoverageView }) {
  const missed = found.branches.filter((branch) => branch.reached && branch.ways.some((way) => !way.reached));
  return (
    <div class="differences">
      {found.files.map((file) => {
        const reached = file.lines.filter((line) => line.reached);
        const others = file.lines.filter((line) => !line.reached).map((line) => line.line);
        return (
          <section key={file.path}>
            <h3>{file.path}</h3>
            <p>
              {share(reached.length, file.lines.length)} of the lines with code
              {others.length > 0 && <span class="soft">; not {others.join(", ")}</span>}
            </p>
          </section>
        );
      })}
      <section>
        <h3>Functions, in instructions</h3>
        <table class="rows mono">
          <tbody>
            {found.functions.map((one) => (
              <tr key={one.function}>
                <td>{one.function}</td>
                <td>{share(one.reached, one.instructions)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section>
        <h3>Branches</h3>
        {missed.length === 0 ? (
          <p class="soft">Every branch that was come to went all ways.</p>
        ) : (
          <ul class="lines">{missed.map((branch, index) => <Branch key={index} branch={branch} />)}</ul>
        )}
      </section>
    </div>
  );
}

function Branch({ branch }: { branch: BranchCoverage }) {
  const { at } = branch;
  return (
    <li class="mono">
      <span class="grow">
        {at.location ?? at.function}: {at.source ?? "a branch"}
      </span>
      {branch.ways.map((way) => (
        <span key={way.text} class={`badge ${way.reached ? "end" : "trap"}`}>
          {way.reached ? "" : "never "}
          {way.text}
        </span>
      ))}
    </li>
  );
}
