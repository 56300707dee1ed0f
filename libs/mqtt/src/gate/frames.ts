import { invariant } from '@engawa/errors';

/** The high four bits of an MQTT packet's first byte [MQTT 2.1.2]. */
export const packetType = { puback: 4, pingreq: 12, pingresp: 13 } as const;

/** The type of the packet that begins at `start`. */
export function typeOf(bytes: Uint8Array, start = 0): number {
  return invariant(bytes[start], 'a packet has a first byte') >> 4;
}

/**
 * The packet identifier of the acknowledgement that begins at `start`, after the fixed header [MQTT 3.4.2] of two
 * bytes, or more with long properties.
 */
export function identifierOf(bytes: Buffer, start = 0): number {
  let at = start + 2;
  while ((invariant(bytes[at - 1], 'a packet has its length') & 0x80) !== 0) at += 1;
  return bytes.readUInt16BE(at);
}

/**
 * Length of the packet that begins at `start`: its fixed header plus the "remaining length" [MQTT
 * 2.1.4]; undefined while the header is incomplete.
 */
export function frameLength(bytes: Uint8Array, start: number): number | undefined {
  let remaining = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[start + 1 + index];
    if (byte === undefined) return undefined;
    remaining += (byte & 0x7f) * 128 ** index;
    if (byte < 0x80) return 2 + index + remaining;
  }
  throw new Error('the data is not MQTT: a packet length has more than four bytes');
}

/** The length of a complete packet. */
export function lengthOfComplete(packets: Uint8Array, start: number): number {
  return invariant(frameLength(packets, start), 'a complete packet has its length');
}

/** Finds the complete MQTT packets in a stream of bytes. */
export class CompletePackets {
  /** Bytes of an incomplete packet. */
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Length of that packet, or 0 while its header is incomplete. */
  #needed = 0;

  /**
   * Returns the packets that are complete with this chunk, one after the other. The chunks of a large packet are
   * concatenated once, at its end: concatenating at each chunk would take quadratic time.
   * @throws Error when the bytes are not MQTT
   */
  push(chunk: Buffer): Buffer {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return noBytes;
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    let end = 0;
    let length = frameLength(bytes, end);
    while (length !== undefined && end + length <= bytes.length) {
      end += length;
      length = frameLength(bytes, end);
    }
    this.#chunks = end === bytes.length ? [] : [bytes.subarray(end)];
    this.#bytes = bytes.length - end;
    this.#needed = length ?? 0;
    return end === bytes.length ? bytes : bytes.subarray(0, end);
  }
}

const noBytes = Buffer.alloc(0);

/** Splits complete packets. */
export function splitPackets(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + lengthOfComplete(bytes, start);
    packets.push(bytes.subarray(start, end));
    start = end;
  }
  return packets;
}
