/** Packets and bytes of one portion for mqtt.js. */
const portionPackets = 32;
const portionBytes = 16 * 1024;

/**
 * Queue of packets for mqtt.js, which emits all messages of a chunk at once: one chunk may have
 * thousands of small messages, more than the window has room for. So packets are passed on in
 * portions, and the window is checked between two portions.
 */
export class FrameQueue {
  #frames: Buffer[] = [];
  /** Number of `#frames` that have been taken. */
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

  /** The next portion; a larger packet is a portion of its own. Empty when the queue is empty. */
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
