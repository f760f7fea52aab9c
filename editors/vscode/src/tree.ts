// The multiverse as lines that a person can choose from.

/** A row of the reply to `mw/tree`; there is more in it than this. */
export interface Row {
  node: string;
  parent: number | null;
  choice: string | null;
  label: string | null;
  folded: number;
  length: number;
  current: number | null;
  bookmarks: [string, number][];
  ended: { text: string } | null;
  siblings: number;
}

/** A line: the place to slide to, and what there is to say about it. */
export interface Line {
  place: string;
  label: string;
  description: string;
}

/** How far each row is indented: only branches are. */
function depths(rows: Row[]): number[] {
  const depths: number[] = [];
  for (const row of rows) {
    const parent = row.parent === null ? 0 : (depths[row.parent] ?? 0);
    depths.push(row.parent !== null && row.siblings > 1 ? parent + 1 : parent);
  }
  return depths;
}

/** A line for each row. */
export function lines(rows: Row[]): Line[] {
  const indents = depths(rows);
  return rows.map((row, index) => {
    const notes = [
      row.label,
      row.folded > 0 ? `after ${row.folded} more` : null,
      ...row.bookmarks.map(([name]) => `★ ${name}`),
      row.ended === null ? null : `■ ${row.ended.text}`,
      row.current === null ? null : `◀ here+${row.current}`,
    ];
    return {
      place: row.node,
      label: "  ".repeat(indents[index] ?? 0) + `${row.node} ${row.choice ?? "start"}`,
      description: notes.filter((note) => note !== null).join("  "),
    };
  });
}
