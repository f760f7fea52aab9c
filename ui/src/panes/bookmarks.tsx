import { IconButton } from "../chrome/button";
import { commandNamed } from "../chrome/commands";
import { copyLink } from "../chrome/link-to-here";
import { count } from "../format/values";
import { act } from "../state/actions";
import { bookmarks } from "../state/queries";
import { useQuery } from "../state/query";
import { Empty, Failed, PlaceLink } from "./parts";

export function BookmarksPane() {
  const { data, error } = useQuery(bookmarks);
  return (
    <div class="pane">
      <div class="bar">
        <span class="grow soft">Places with a name</span>
        <IconButton icon="plus" label="Bookmark this place" onClick={() => commandNamed("bookmark").run()} />
      </div>
      <div class="content">
        {error !== null && <Failed text={error} />}
        {data !== null && data.length === 0 && (
          <Empty title="No bookmarks">Name a place with Ctrl+D, and come back to it whenever you like.</Empty>
        )}
        {data !== null && data.length > 0 && (
          <table class="rows">
            <tbody>
              {data.map((one) => (
                <tr key={one.name}>
                  <td>
                    ★ <PlaceLink place={one.name} />
                  </td>
                  <td class="mono soft">{one.place.text}</td>
                  <td class="soft">{count(one.place.count)}</td>
                  <td class="actions">
                    <IconButton icon="link" label={`Copy a link to ${one.name}`} onClick={() => copyLink(one.place.text)} />
                    <IconButton
                      icon="trash"
                      label={`Remove the bookmark ${one.name}`}
                      onClick={() => act({ request: "remove-bookmark", name: one.name })}
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
