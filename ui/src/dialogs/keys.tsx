import { COMMANDS } from "../chrome/commands";

/** All keys there are. */
export function Keys() {
  return (
    <div class="body">
      <h2>Keys</h2>
      <dl class="keys">
        {COMMANDS.filter((command) => command.keys.length > 0 && command.applies()).map((command) => (
          <>
            <dt key={command.id}>{command.title}</dt>
            <dd key={`${command.id}-keys`}>
              {command.keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </>
        ))}
      </dl>
      <p>In the tree: arrows walk, Enter slides, Space folds, + and − zoom, 0 fits, / searches.</p>
    </div>
  );
}
