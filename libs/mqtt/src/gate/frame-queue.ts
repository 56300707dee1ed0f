/** Packets, and bytes of them, that go to mqtt.js at once. */
const portionPackets = 32;
const portionBytes = 16 * 1024;

/**
 * Whole packets on their way to mqtt.js, which gives out everything that it is handed: thousands of small messages may come
 * with one chunk, more than there is room for. So they go in portions, with a look at the room between two.
 */
export class FrameQueue {
  #frames: Buffer[] = [];
  /** How many of `#frames` have been taken. */
  #taken = 0;

  get isEmpty(): boolean {
    return this.#taken === this.#frames.length;
  }

  add(frames: readonly Buffer[]): void {
    this.#frames = this.isEmpty ? [...frames] : [...this.#frames.slice(this.#taken), ...frames];
    this.#taken = 0;
  }

  clear(): void {
    this.#frames = [];
    this.#taken = 0;
  }

  /** The next portion; a packet that is larger than one goes alone. Empty when nothing is left. */
  take(): Buffer[] {
    const start = this.#taken;
    let bytes = 0;
    while (this.#taken < this.#frames.length && this.#taken - start < portionPackets) {
      const length = this.#frames[this.#taken]?.length ?? 0;
      if (bytes > 0 && bytes + length > portionBytes) break;
      bytes += length;
      this.#taken += 1;
    }
    return this.#frames.slice(start, this.#taken);
  }
}
