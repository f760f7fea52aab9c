/** Nodes at which machine and world are the same, whatever led there. */
import { useState } from "preact/hooks";
import type { MergedView } from "../api";
import { many } from "../format/values";
import { ask, during, report } from "../state/session";
import { PlaceLink } from "./parts";

const NODES = 2_000;

export function Merged() {
  const [found, setFound] = useState<MergedView | null>(null);
  const look = () =>
    during("Comparing all nodes", (signal) => ask({ request: "merged", limit: NODES }, signal)).then(setFound, report);
  return (
    <section class="merged">
      <button type="button" onClick={() => void look()}>
        Find nodes with the same state
      </button>
      {found !== null && (
        <>
          <p class="soft">
            {many(found.visited, "node")} of {found.nodes} visited, {many(found.states, "different state")}
            {found.groups.length === 0 && "; none are the same"}
          </p>
          <ul class="lines">
            {found.groups.map((group) => (
              <li key={group[0]?.node}>
                {group.map((one) => (
                  <span key={one.node} title={one.text}>
                    <PlaceLink place={one.node} />
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
