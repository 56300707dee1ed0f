import { lengthOfComplete, packetType, typeOf } from './frames.ts';

/** Packets and bytes of one portion for mqtt.js. */
const portionPackets = 32;
const portionBytes = 16 * 1024;

/** Packets that are passed on together. */
export interface Portion {
  bytes: Buffer;
  /** Number of PINGRESPs among them. */
  pingResponses: number;
}

/**
 * Queue of packets for mqtt.js, which emits all messages of a chunk at once: one chunk may have thousands of small
 * messages, more than the window has room for. So packets are passed on in portions, and the window is checked between
 * two portions.
 */
export class PacketQueue {
  /** Complete packets. */
  #chunks: Buffer[] = [];
  /** Bytes of the first chunk that have been taken. */
  #taken = 0;

  get isEmpty(): boolean {
    return this.#chunks.length === 0;
  }

  /** @param packets complete ones */
  add(packets: Buffer): void {
    if (packets.length > 0) this.#chunks.push(packets);
  }

  clear(): void {
    this.#chunks = [];
    this.#taken = 0;
  }

  /** The next portion; a larger packet is a portion of its own. Undefined when the queue is empty. */
  take(): Portion | undefined {
    const [chunk] = this.#chunks;
    if (chunk === undefined) return undefined;
    const start = this.#taken;
    let end = start;
    let pingResponses = 0;
    for (let packets = 0; packets < portionPackets && end < chunk.length; packets++) {
      const next = end + lengthOfComplete(chunk, end);
      if (end > start && next - start > portionBytes) break;
      if (typeOf(chunk, end) === packetType.pingresp) pingResponses += 1;
      end = next;
    }
    this.#taken = end;
    if (end === chunk.length) {
      this.#chunks.shift();
      this.#taken = 0;
    }
    return { bytes: chunk.subarray(start, end), pingResponses };
  }
}
