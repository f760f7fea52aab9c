/** Requests that follow a hand: one under way, and after it only the last one wanted. */
export class Scrubber<T extends {}> {
  private running = false;
  private wanted: T | null = null;

  constructor(private readonly go: (to: T) => Promise<unknown>) {}

  async to(next: T): Promise<void> {
    this.wanted = next;
    if (this.running) return;
    this.running = true;
    while (this.wanted !== null) {
      const now: T = this.wanted;
      this.wanted = null;
      await this.go(now);
    }
    this.running = false;
  }
}
