import { IconButton } from "../chrome/button";
import { act } from "../state/actions";
import { open } from "../state/dialogs";
import { mocks } from "../state/queries";
import { useQuery } from "../state/query";
import { Empty, Failed } from "./parts";

/** What inputs are told to return. */
export function MocksPane() {
  const { data, error } = useQuery(mocks);
  const add = () => open({ kind: "mock", call: "", value: "", domain: null });
  return (
    <div class="pane">
      <div class="bar">
        <span class="grow soft">{data === null || data.length === 0 ? "Inputs read what the world gives" : "Decided inputs"}</span>
        {data !== null && data.length > 1 && (
          <button type="button" class="plain" onClick={() => void act({ request: "unmock", id: null })}>
            Remove all
          </button>
        )}
        <IconButton icon="plus" label="Mock an input" onClick={add} />
      </div>
      <div class="content">
        {error !== null && <Failed text={error} />}
        {data !== null && data.length === 0 && (
          <Empty title="No mocks">
            Mock an input to decide what it returns, or move a slider of the board.
          </Empty>
        )}
        {data !== null && data.length > 0 && (
          <table class="rows">
            <tbody>
              {data.map((mock) => (
                <tr key={mock.id}>
                  <td class="mono">{mock.call}</td>
                  <td class="mono">
                    {mock.value} {mock.once && <span class="badge">once</span>}
                  </td>
                  <td class="actions">
                    <IconButton
                      icon="edit"
                      label={`Change the mock of ${mock.call}`}
                      onClick={() => open({ kind: "mock", call: mock.call, value: mock.value, domain: null })}
                    />
                    <IconButton
                      icon="trash"
                      label={`Remove the mock of ${mock.call}`}
                      onClick={() => act({ request: "unmock", id: mock.id })}
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
