/** The universe that one is in as a bar of time: drag to go to any moment of it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { splitChoice } from "../format/choices";
import { count } from "../format/values";
import { slide, slideToLine } from "../state/actions";
import { verdictChanges } from "../properties/changes";
import { changesAlong, VERDICTS } from "../properties/model";
import { hits } from "../state/hits";
import { hasSource } from "../state/preferences";
import { properties } from "../state/queries";
import { query, useQuery } from "../state/query";
import { Scrubber } from "../state/scrub";
import { ask, standing } from "../state/session";
import { apart, countAt, snap, xAt, type Scale } from "./scale";

const CHOICES = 2_000;

const universe = query(
  () => true,
  () => ask({ request: "universe", place: "end", limit: CHOICES }),
  () => true,
);

const scrubber = new Scrubber(({ to, toLine }: { to: number; toLine: boolean }) =>
  toLine ? slideToLine(String(to)) : slide(String(to)),
);

export function Timeline() {
  const { data } = useQuery(universe);
  const here = standing.value;
  const bar = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [dragged, setDragged] = useState<number | null>(null);
  useEffect(() => {
    const element = bar.current!;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const now = dragged ?? here?.place.count ?? 0;
  const total = Math.max(data?.place.count ?? 0, here?.place.count ?? 0);
  const scale: Scale = { total, width };
  const choices = data?.choices ?? [];
  const stars = data?.bookmarks ?? [];
  const outputs = data?.outputs ?? [];
  const found = hits.value?.found ?? null;
  const times = (found?.hits ?? []).map((hit) => ({ ...hit, count: hit.place.count }));
  const verdicts = changesAlong(useQuery(verdictChanges).data?.changes ?? [], choices);
  const names = new Map((useQuery(properties).data ?? []).map(({ id, name }) => [id, name]));
  const moments = [0, total, ...times.map((time) => time.count), ...verdicts.map((verdict) => verdict.count), ...choices.map((choice) => choice.count), ...stars.map((star) => star.place.count)];

  const drag = (event: PointerEvent) => {
    const box = bar.current!.getBoundingClientRect();
    const exact = countAt(scale, event.clientX - box.left);
    // Lines are what one reads: with Alt, every instruction can be hit.
    const to = event.altKey ? exact : snap(scale, exact, moments);
    setDragged(to);
    void scrubber.to({ to, toLine: to === exact && !event.altKey && hasSource.value }).then(() => setDragged(null));
  };
  const press = (event: KeyboardEvent) => {
    const step = event.shiftKey ? Math.max(1, Math.round(total / 20)) : 1;
    const to =
      event.key === "ArrowLeft" ? now - step
      : event.key === "ArrowRight" ? now + step
      : event.key === "Home" ? 0
      : event.key === "End" ? total
      : null;
    if (to === null) return;
    event.preventDefault();
    void scrubber.to({ to: Math.max(0, Math.min(total, to)), toLine: false });
  };
  const inThePast = here?.in_the_past ?? false;
  return (
    <section class={`timeline ${inThePast ? "past" : ""}`} aria-label="Timeline">
      <span class="moment mono" title="Instructions since the start">
        {count(now)}
      </span>
      <div
        class="bar"
        ref={bar}
        role="slider"
        tabIndex={0}
        aria-label="Moment in this universe"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={now}
        aria-valuetext={`${count(now)} of ${count(total)} instructions${inThePast ? ", in the past" : ""}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
        }}
        onKeyDown={press}
      >
        <div class="track">
          <div class="lived" ref={(element) => element?.style.setProperty("width", `${xAt(scale, now)}px`)} />
        </div>
        {(["choice", "fork"] as const).map((kind) =>
          // Where ways part is seen however much is read around it.
          apart(scale, choices.filter((choice) => choice.others > 0 === (kind === "fork")), 7).map((choice) => (
            <Mark key={choice.node} x={xAt(scale, choice.count)} kind={kind} title={`${choice.text} at ${count(choice.count)}`} />
          )),
        )}
        {apart(scale, choices, 90).map((choice) => (
          <Words key={choice.node} x={xAt(scale, choice.count)} width={width} text={splitChoice(choice.text).value ?? choice.text} />
        ))}
        {apart(scale, outputs, 6).map((output) => (
          <Mark key={output.count} x={xAt(scale, output.count)} kind="output" title={`${output.call}: ${output.effect}`} />
        ))}
        {apart(scale, times, 3).map((time) => (
          <Mark key={time.count} x={xAt(scale, time.count)} kind="hit" title={`${found?.trigger ?? ""} at ${time.place.text}: ${time.text ?? "come to"}`} />
        ))}
        {apart(scale, verdicts, 3).map(({ property, place, verdict, count: at }) => (
          <Mark
            key={place.text}
            x={xAt(scale, at)}
            kind={verdict}
            title={`${names.get(property) ?? "A property"}: ${VERDICTS[verdict].words} from ${place.text} on`}
          />
        ))}
        {stars.map((star) => (
          <Mark key={star.name} x={xAt(scale, star.place.count)} kind="star" title={`★ ${star.name}`} />
        ))}
        <div class="thumb" ref={(element) => element?.style.setProperty("left", `${xAt(scale, now)}px`)} />
      </div>
      <span class="moment mono soft" title="As far as this universe is recorded">
        {count(total)}
      </span>
      {inThePast ? (
        <button type="button" class="past-button" title="Go to the end of what is recorded" onClick={() => void slide("end")}>
          You are in the past
        </button>
      ) : (
        <span class="present soft">the present</span>
      )}
    </section>
  );
}

function Mark({ x, kind, title }: { x: number; kind: string; title: string }) {
  return <span class={`mark ${kind}`} title={title} ref={(element) => element?.style.setProperty("left", `${x}px`)} />;
}

function Words({ x, width, text }: { x: number; width: number; text: string }) {
  if (x > width - 24) return null;
  return (
    <span class="words mono" aria-hidden="true" ref={(element) => element?.style.setProperty("left", `${x}px`)}>
      {text.length > 12 ? `${text.slice(0, 11)}…` : text}
    </span>
  );
}
