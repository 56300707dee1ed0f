import { packetType } from './frames.ts';
import type { DurableListener } from '../messages/redeliverable-message.ts';

/** Bytes of a PUBACK without reason code and properties [MQTT 3.4]. */
const plainLength = 4;

interface AcknowledgementOwner {
  released(): void;
}

/** The acknowledgement of a QoS 1 message that came in on one connection. */
export class HeldAcknowledgement implements DurableListener {
  readonly messageId: number;
  readonly #owner: AcknowledgementOwner;
  #isReleased = false;
  /** The PUBACK of mqtt.js, where it has more than the packet identifier. */
  #frame: Buffer | undefined;

  constructor(owner: AcknowledgementOwner, messageId: number) {
    this.#owner = owner;
    this.messageId = messageId;
  }

  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Releases the acknowledgement; it has no effect the second time, or on a closed connection. */
  becameDurable(): void {
    this.#isReleased = true;
    this.#owner.released();
  }

  /** Takes the PUBACK that mqtt.js wrote: the bytes from `start` to `end`. */
  hold(bytes: Buffer, start: number, end: number): void {
    if (end - start !== plainLength) this.#frame = bytes.subarray(start, end);
  }

  get length(): number {
    return this.#frame?.length ?? plainLength;
  }

  /** Writes the PUBACK. @returns the place after it */
  writeTo(bytes: Buffer, start: number): number {
    if (this.#frame !== undefined) {
      bytes.set(this.#frame, start);
    } else {
      bytes[start] = packetType.puback << 4;
      bytes[start + 1] = plainLength - 2;
      bytes.writeUInt16BE(this.messageId, start + 2);
    }
    return start + this.length;
  }
}

/** The frames of these acknowledgements, one after the other. */
export function framesOf(entries: readonly HeldAcknowledgement[]): Buffer {
  let [bytes, end] = [0, 0];
  for (const { length } of entries) bytes += length;
  const frames = Buffer.allocUnsafe(bytes);
  for (const entry of entries) end = entry.writeTo(frames, end);
  return frames;
}
