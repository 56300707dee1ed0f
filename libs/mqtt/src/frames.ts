/** The high four bits of an MQTT packet's first byte [MQTT 2.1.2]. */
export const packetType = { puback: 4, pingreq: 12 } as const;

export function typeOf(frame: Uint8Array): number {
  return (frame[0] ?? 0) >> 4;
}

/**
 * Length of the packet that begins at `start`: its fixed header and what its "remaining length" says [MQTT 2.1.4], or
 * undefined as long as the header is not all there.
 */
function frameLength(bytes: Uint8Array, start: number): number | undefined {
  let remaining = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[start + 1 + index];
    if (byte === undefined) return undefined;
    remaining += (byte & 0x7f) * 128 ** index;
    if (byte < 0x80) return 2 + index + remaining;
  }
  throw new Error('a packet whose length has more than four bytes'); // the peer does not speak MQTT
}

/** Finds the packets in a stream of bytes, however these are cut. */
export class FrameSplitter {
  #rest: Buffer = Buffer.alloc(0);

  /** The packets that are complete with this chunk. */
  push(chunk: Buffer): Buffer[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Buffer[] = [];
    let start = 0;
    for (;;) {
      const length = frameLength(bytes, start);
      if (length === undefined || start + length > bytes.length) break;
      frames.push(bytes.subarray(start, start + length));
      start += length;
    }
    this.#rest = bytes.subarray(start);
    return frames;
  }
}
