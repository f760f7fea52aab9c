/** What panes are made of. */
import type { ComponentChildren } from "preact";
import { slide } from "../state/actions";

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

export function Failed({ text }: { text: string }) {
  return <div class="error-text">{text}</div>;
}

/** A place that one can go to. */
export function PlaceLink({ place, children }: { place: string; children?: ComponentChildren }) {
  return (
    <button type="button" class="link mono" title={`Slide to ${place}`} onClick={() => void slide(place)}>
      {children ?? place}
    </button>
  );
}
