/**
 * A text with its current line, breakpoints in the gutter and values on hover. Read only.
 *
 * Source and WebAssembly are both shown by it; what lines mean is up to them.
 */
import { syntaxHighlighting } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, RangeSet, StateEffect, StateField, type Extension } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  GutterMarker,
  WidgetType,
  gutter,
  gutterLineClass,
  hoverTooltip,
  keymap,
  lineNumbers,
  type DecorationSet,
} from "@codemirror/view";
import { effect } from "@preact/signals";
import { wrapsLines } from "../state/preferences";
import { colours } from "./colours";
import css from "./code.css?inline";

/** What is known about lines, counted from 1. */
export interface Marks {
  /** The line that comes next. */
  readonly current: number | null;
  /** Whether the program has failed there. */
  readonly failed: boolean;
  /** Lines with a breakpoint, and whether it is on. */
  readonly breakpoints: ReadonlyMap<number, boolean>;
  /** Lines that have code; a breakpoint elsewhere goes to the next one. Nothing if all have. */
  readonly withCode: ReadonlySet<number> | null;
  /** Lines with code, and whether any universe that was explored has come to them. */
  readonly reached?: ReadonlyMap<number, boolean>;
  /** What stands behind lines. */
  readonly values?: ReadonlyMap<number, string>;
}

export interface Handlers {
  toggle(line: number): void;
  menu(line: number, x: number, y: number): void;
  cursor?(line: number): void;
  /** The value of what is under the pointer, if it has one. */
  value?(word: string): Promise<string | null>;
  /** What stands for the number of a line. */
  number?(line: number): string;
}

const NO_MARKS: Marks = { current: null, failed: false, breakpoints: new Map(), withCode: null };
const setMarks = StateEffect.define<Marks>();

const marksField = StateField.define<Marks>({
  create: () => NO_MARKS,
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return effect.value;
    return marks;
  },
});

const currentLine = Decoration.line({ class: "cm-current" });
const failedLine = Decoration.line({ class: "cm-current cm-failed" });
const lineMarks = EditorView.decorations.compute([marksField, "doc"], (state): DecorationSet => {
  const { current, failed } = state.field(marksField);
  if (current === null || current < 1 || current > state.doc.lines) return Decoration.none;
  return Decoration.set([(failed ? failedLine : currentLine).range(state.doc.line(current).from)]);
});

/** A text behind a line, which is not a part of it. */
class Remark extends WidgetType {
  constructor(private readonly text: string) {
    super();
  }

  override eq(other: Remark): boolean {
    return other.text === this.text;
  }

  override toDOM(): HTMLElement {
    const remark = document.createElement("span");
    remark.className = "cm-remark";
    remark.textContent = this.text;
    return remark;
  }
}

const remarks = EditorView.decorations.compute([marksField, "doc"], (state): DecorationSet => {
  const at = (line: number, text: string) =>
    Decoration.widget({ widget: new Remark(text), side: 1 }).range(state.doc.line(line).to);
  const fitting = [...(state.field(marksField).values ?? [])].filter(([line]) => line <= state.doc.lines);
  return Decoration.set(fitting.map(([line, text]) => at(line, text)), true);
});

class Reached extends GutterMarker {
  constructor(override readonly elementClass: string) {
    super();
  }
}

const REACHED = new Reached("cm-reached");
const MISSED = new Reached("cm-missed");
const coverage = gutterLineClass.compute([marksField, "doc"], (state) => {
  const fitting = [...(state.field(marksField).reached ?? [])].filter(([line]) => line <= state.doc.lines);
  return RangeSet.of(fitting.map(([line, is]) => (is ? REACHED : MISSED).range(state.doc.line(line).from)), true);
});

class Dot extends GutterMarker {
  constructor(private readonly kind: "on" | "off" | "possible") {
    super();
  }

  override eq(other: Dot): boolean {
    return other.kind === this.kind;
  }

  override toDOM(): HTMLElement {
    const dot = document.createElement("span");
    dot.className = `cm-dot ${this.kind}`;
    return dot;
  }
}

const DOTS = { on: new Dot("on"), off: new Dot("off"), possible: new Dot("possible") };

/**
 * The editor lives in a shadow tree: there its styles are sheets made by script, which the page's
 * policy allows, while it forbids style elements.
 */
let sheet: CSSStyleSheet | null = null;
function styles(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}

export class CodeView {
  private readonly view: EditorView;
  private readonly language = new Compartment();
  private readonly wrapping = new Compartment();
  private readonly stopWrapping: () => void;
  private text = "";

  constructor(parent: HTMLElement, private readonly handlers: Handlers, label: string) {
    const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styles()];
    this.view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        extensions: [
          EditorState.readOnly.of(true),
          // The text has a cursor, to be read and to act on with the keyboard.
          EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
          marksField,
          lineMarks,
          remarks,
          coverage,
          this.breakpointGutter(),
          lineNumbers({
            formatNumber: (line) => this.handlers.number?.(line) ?? String(line),
            domEventHandlers: { click: (_view, line) => this.clicked(line.from) },
          }),
          syntaxHighlighting(colours),
          search({ top: true }),
          keymap.of(searchKeymap),
          this.language.of([]),
          this.hover(),
          this.wrapping.of([]),
          EditorView.updateListener.of((update) => {
            if (update.selectionSet) handlers.cursor?.(this.cursorLine());
          }),
        ],
      }),
    });
    this.view.scrollDOM.addEventListener("contextmenu", (event) => this.menu(event));
    this.stopWrapping = effect(() => {
      const wraps = wrapsLines.value ? EditorView.lineWrapping : [];
      this.view.dispatch({ effects: this.wrapping.reconfigure(wraps) });
    });
  }

  /** Shows a text with its marks; the current line is brought into view when it has changed. */
  show(text: string, language: Extension, marks: Marks): void {
    const isNew = text !== this.text;
    const before = this.view.state.field(marksField).current;
    if (isNew) {
      this.text = text;
      this.view.dispatch({
        changes: { from: 0, to: this.view.state.doc.length, insert: text },
        effects: this.language.reconfigure(language),
      });
    }
    this.view.dispatch({ effects: setMarks.of(marks) });
    const { current } = marks;
    if (current !== null && (isNew || current !== before) && current <= this.view.state.doc.lines) {
      const { from } = this.view.state.doc.line(current);
      this.view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: 80 }) });
    }
  }

  /** Brings a line into view, with the cursor on it. */
  reveal(line: number): void {
    const { from } = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines));
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  }

  cursorLine(): number {
    return this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
  }

  destroy(): void {
    this.stopWrapping();
    this.view.destroy();
  }

  private breakpointGutter(): Extension {
    return gutter({
      class: "cm-breakpoints",
      markers: (view) => {
        const { breakpoints, withCode } = view.state.field(marksField);
        const lines = view.state.doc.lines;
        const dots = [];
        for (const line of withCode ?? []) {
          if (line <= lines && !breakpoints.has(line)) dots.push(DOTS.possible.range(view.state.doc.line(line).from));
        }
        for (const [line, on] of breakpoints) {
          if (line >= 1 && line <= lines) dots.push((on ? DOTS.on : DOTS.off).range(view.state.doc.line(line).from));
        }
        return RangeSet.of(dots, true);
      },
      initialSpacer: () => DOTS.possible,
      lineMarkerChange: (update) => update.transactions.some((one) => one.effects.some((effect) => effect.is(setMarks))),
      domEventHandlers: { mousedown: (_view, line, event) => (event as MouseEvent).button === 0 && this.clicked(line.from) },
    });
  }

  private clicked(from: number): boolean {
    this.handlers.toggle(this.view.state.doc.lineAt(from).number);
    return true;
  }

  /** The menu of a line, also beside its text: on its number and its breakpoint. */
  private menu(event: MouseEvent): void {
    const at = this.view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
    event.preventDefault();
    this.handlers.menu(this.view.state.doc.lineAt(at).number, event.clientX, event.clientY);
  }

  private hover(): Extension {
    return hoverTooltip(async (view, at) => {
      const word = view.state.wordAt(at);
      if (word === null || this.handlers.value === undefined) return null;
      const text = view.state.sliceDoc(word.from, word.to);
      const value = /^[A-Za-z_$]/.test(text) ? await this.handlers.value(text) : null;
      if (value === null) return null;
      return {
        pos: word.from,
        end: word.to,
        create: () => {
          const dom = document.createElement("div");
          dom.className = "cm-value";
          dom.textContent = `${text} = ${value}`;
          return { dom };
        },
      };
    });
  }
}
