import { useEffect, useRef } from "preact/hooks";
import { Palette } from "../chrome/palette";
import { Toasts } from "../chrome/toasts";
import { close, dialog, type Dialog } from "../state/dialogs";
import { AnswerForm, BranchForm, MockForm, ReadingForm } from "./inputs";
import { Keys } from "./keys";
import { LinkFigures } from "./link";
import { BookmarkForm, BreakpointForm, ChangeBreakpointForm, GoToForm } from "./places";
import { PropertyForm } from "./property";
import { SuggestForm } from "./suggest";

/** The dialog that is open. The browser keeps the focus inside and closes it with Escape. */
export function Dialogs() {
  const now = dialog.value;
  return now === null ? null : <Shown key={now.kind} dialog={now} />;
}

function Shown({ dialog: shown }: { dialog: Dialog }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={["palette", "suggest", "property"].includes(shown.kind) ? shown.kind : ""}
      aria-label={NAMES[shown.kind]}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) close();
      }}
    >
      <Inside dialog={shown} />
      <Toasts />
    </dialog>
  );
}

const NAMES: Record<Dialog["kind"], string> = {
  confirm: "Are you sure?",
  mock: "Mock an input",
  answer: "Answer this reading",
  branch: "Branch on several values",
  suggest: "Suggest paths",
  bookmark: "Bookmark a place",
  "go-to": "Go to a place",
  reading: "Set what an input reads",
  breakpoint: "Add a breakpoint",
  "change-breakpoint": "Change a breakpoint",
  property: "Load a property",
  link: "Link to the device",
  palette: "All commands",
  keys: "Keys",
};

function Inside({ dialog: shown }: { dialog: Dialog }) {
  switch (shown.kind) {
    case "confirm":
      return <Confirm shown={shown} />;
    case "mock":
      return <MockForm call={shown.call} value={shown.value} domain={shown.domain} />;
    case "answer":
      return <AnswerForm call={shown.call} domain={shown.domain} />;
    case "branch":
      return <BranchForm call={shown.call} domain={shown.domain} />;
    case "suggest":
      return <SuggestForm from={shown.from ?? null} />;
    case "bookmark":
      return <BookmarkForm place={shown.place} />;
    case "go-to":
      return <GoToForm />;
    case "breakpoint":
      return <BreakpointForm trigger={shown.trigger} />;
    case "change-breakpoint":
      return <ChangeBreakpointForm breakpoint={shown.breakpoint} />;
    case "reading":
      return <ReadingForm />;
    case "property":
      return <PropertyForm replaces={shown.replaces} />;
    case "link":
      return <LinkFigures />;
    case "palette":
      return <Palette begin={shown.text} />;
    case "keys":
      return <Keys />;
  }
}

function Confirm({ shown }: { shown: Extract<Dialog, { kind: "confirm" }> }) {
  return (
    <div class="body">
      <h2>{shown.title}</h2>
      <p>{shown.text}</p>
      <div class="buttons">
        <button type="button" onClick={() => shown.answer(false)} autofocus>
          Cancel
        </button>
        <button type="button" class="primary" onClick={() => shown.answer(true)}>
          {shown.action}
        </button>
      </div>
    </div>
  );
}
