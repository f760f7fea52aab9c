import { IconButton } from "../chrome/button";
import { act } from "../state/actions";
import { open } from "../state/dialogs";
import { breakpoints } from "../state/queries";
import { useQuery } from "../state/query";
import { Empty, Failed } from "./parts";

export function BreakpointsPane() {
  const { data, error } = useQuery(breakpoints);
  return (
    <div class="pane">
      <div class="bar">
        <span class="grow soft">They stop the program in both directions</span>
        {data !== null && data.length > 1 && (
          <button type="button" class="plain" onClick={() => void act({ request: "remove-breakpoint", id: null })}>
            Remove all
          </button>
        )}
        <IconButton icon="plus" label="Add a breakpoint" onClick={() => open({ kind: "breakpoint", trigger: "" })} />
      </div>
      <div class="content">
        {error !== null && <Failed text={error} />}
        {data !== null && data.length === 0 && (
          <Empty title="No breakpoints">
            Click beside a line of the source, or add one for a function, an input, or a change of memory.
          </Empty>
        )}
        {data !== null && data.length > 0 && (
          <table class="rows">
            <tbody>
              {data.map((one) => (
                <tr key={one.id}>
                  <td class="actions">
                    <input
                      type="checkbox"
                      checked={one.enabled}
                      aria-label={`Breakpoint ${one.id} at ${one.trigger} is on`}
                      onChange={(event) =>
                        void act({ request: "enable-breakpoint", id: one.id, enabled: event.currentTarget.checked })
                      }
                    />
                  </td>
                  <td class="mono">
                    {one.trigger}
                    {one.condition !== null && <span class="soft"> if {one.condition}</span>}
                    {one.hits !== null && <span class="soft"> the times {one.hits}</span>}
                    {one.log !== null && <span class="soft"> logs “{one.log}”</span>}{" "}
                    {one.passed > 0 && <span class="badge" title="How often it has been come to">{one.passed}×</span>}{" "}
                    {one.temporary && <span class="badge">once</span>}
                  </td>
                  <td class="actions">
                    <IconButton
                      icon="edit"
                      label={`Change breakpoint ${one.id}`}
                      onClick={() => open({ kind: "change-breakpoint", breakpoint: one })}
                    />
                    <IconButton
                      icon="trash"
                      label={`Remove breakpoint ${one.id}`}
                      onClick={() => act({ request: "remove-breakpoint", id: one.id })}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  );
}
