/** Slides that follow a hand: one under way, and after it only the last one wanted. */
export class Scrubber {
  private running = false;
  private wanted: number | null = null;

  constructor(private readonly go: (count: number) => Promise<void>) {}

  async to(count: number): Promise<void> {
    this.wanted = count;
    if (this.running) return;
    this.running = true;
    while (this.wanted !== null) {
      const next: number = this.wanted;
      this.wanted = null;
      await this.go(next);
    }
    this.running = false;
  }
}
