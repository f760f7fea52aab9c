import { Icon } from "../chrome/icons";
import { act } from "../state/actions";
import { query, useQuery } from "../state/query";
import { ask } from "../state/session";

const interrupts = query(
  () => true,
  () => ask({ request: "interrupts" }),
);

/** Interrupts that the program waits for: each can be let arrive here. */
export function Interrupts() {
  const { data } = useQuery(interrupts);
  if (data === null || data.length === 0) return null;
  return (
    <section class="part wide" aria-label="Interrupts">
      <h3>Interrupts</h3>
      <div class="levels">
        {data.map((one) => (
          <button
            key={`${one.pin} ${one.function}`}
            type="button"
            title={`Let the interrupt of pin ${one.pin} arrive here: it calls ${one.function}`}
            onClick={() => void act({ request: "interrupt", pin: one.pin })}
          >
            <Icon name="into" /> pin {one.pin}
          </button>
        ))}
      </div>
    </section>
  );
}
