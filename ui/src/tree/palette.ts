/** The colours of the drawing: the page's own, read whenever the theme changes. */
export interface Palette {
  readonly surface: string;
  readonly line: string;
  readonly text: string;
  readonly soft: string;
  readonly faint: string;
  readonly accent: string;
  readonly here: string;
  readonly onHere: string;
  readonly visited: string;
  readonly way: string;
  readonly suggested: string;
  readonly trap: string;
  readonly end: string;
  readonly halted: string;
  readonly altered: string;
  readonly bookmark: string;
  readonly breakpoint: string;
  readonly raised: string;
  readonly font: string;
  readonly mono: string;
}

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    surface: value("--surface"),
    line: value("--line-strong"),
    text: value("--text"),
    soft: value("--text-soft"),
    faint: value("--text-faint"),
    accent: value("--accent"),
    here: value("--here-mark"),
    onHere: value("--on-here"),
    visited: value("--visited"),
    way: value("--way"),
    suggested: value("--suggested"),
    trap: value("--trap"),
    end: value("--end"),
    halted: value("--halted"),
    altered: value("--altered"),
    bookmark: value("--bookmark"),
    breakpoint: value("--breakpoint"),
    raised: value("--raised"),
    font: value("--font"),
    mono: value("--mono"),
  };
}
