/** Lines that were written, to be found again with the arrow keys. */
export class History {
  private lines: string[] = [];
  private at = 0;
  /** What was being written when somebody began to look. */
  private draft = "";

  add(line: string): void {
    if (this.lines.at(-1) !== line) this.lines.push(line);
    this.at = this.lines.length;
    this.draft = "";
  }

  earlier(current: string): string {
    if (this.at === this.lines.length) this.draft = current;
    this.at = Math.max(0, this.at - 1);
    return this.lines[this.at] ?? current;
  }

  later(): string {
    this.at = Math.min(this.lines.length, this.at + 1);
    return this.lines[this.at] ?? this.draft;
  }
}
