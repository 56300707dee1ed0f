/** The high four bits of an MQTT packet's first byte [MQTT 2.1.2]. */
export const packetType = { puback: 4, pingreq: 12, pingresp: 13 } as const;

export function typeOf(frame: Uint8Array): number {
  return (frame[0] ?? 0) >> 4;
}

/**
 * The packet identifier of an acknowledgement, after the fixed header [MQTT 3.4.2] of two bytes, or
 * more with long properties.
 */
export function identifierOf(frame: Buffer): number {
  let start = 2;
  while (((frame[start - 1] ?? 0) & 0x80) !== 0) start += 1;
  return frame.readUInt16BE(start);
}

/**
 * Length of the packet that begins at `start`: its fixed header plus the "remaining length" [MQTT
 * 2.1.4]; undefined while the header is incomplete.
 */
function frameLength(bytes: Uint8Array, start: number): number | undefined {
  let remaining = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[start + 1 + index];
    if (byte === undefined) return undefined;
    remaining += (byte & 0x7f) * 128 ** index;
    if (byte < 0x80) return 2 + index + remaining;
  }
  throw new Error('the data is not MQTT: a packet length has more than four bytes');
}

/** Splits a stream of bytes into MQTT packets. */
export class FrameSplitter {
  /** Bytes of an incomplete packet. */
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Length of that packet, or 0 while its header is incomplete. */
  #needed = 0;

  /**
   * Returns the packets that are complete with this chunk. The chunks of a large packet are
   * concatenated once, at its end: concatenating at each chunk would take quadratic time.
   * @throws Error when the bytes are not MQTT
   */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return [];
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const frames: Buffer[] = [];
    let start = 0;
    let length = frameLength(bytes, start);
    while (length !== undefined && start + length <= bytes.length) {
      frames.push(bytes.subarray(start, start + length));
      start += length;
      length = frameLength(bytes, start);
    }
    this.#chunks = start === bytes.length ? [] : [bytes.subarray(start)];
    this.#bytes = bytes.length - start;
    this.#needed = length ?? 0;
    return frames;
  }
}
