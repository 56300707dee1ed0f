/** The high four bits of an MQTT packet's first byte [MQTT 2.1.2]. */
export const packetType = { puback: 4, pingreq: 12, pingresp: 13 } as const;

export function typeOf(frame: Uint8Array): number {
  return (frame[0] ?? 0) >> 4;
}

/** The packet identifier of an acknowledgement follows the fixed header [MQTT 3.4.2], which is two bytes unless there are long properties. */
export function identifierOf(frame: Buffer): number {
  let start = 2;
  while (((frame[start - 1] ?? 0) & 0x80) !== 0) start += 1;
  return frame.readUInt16BE(start);
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
  throw new Error('it does not speak MQTT: a length has more than four bytes');
}

/** Finds the packets in a stream of bytes, however these are cut. */
export class FrameSplitter {
  /** The beginning of a packet that is not complete. */
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Bytes of that packet, or 0 while its header is not all there. */
  #needed = 0;

  /**
   * The packets that are complete with this chunk. A large one is put together once, at its end: doing so
   * with each chunk would take the square of its length.
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
