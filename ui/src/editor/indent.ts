/** Blocks set in, as the text format has them. */
export function indented(lines: readonly string[]): string {
  let level = 0;
  return lines
    .map((line) => {
      if (/^(end|else)\b/.test(line)) level = Math.max(0, level - 1);
      const text = "  ".repeat(level) + line;
      if (/^(block|loop|if|else)\b/.test(line)) level++;
      return text;
    })
    .join("\n");
}
