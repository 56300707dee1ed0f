import { randomInt } from 'node:crypto';

const dayMs = 86_400_000;
/** A part has 40 bits: the first 27 count the milliseconds of the day, the others count dead letters. */
const sequences = 2 ** 13;

/**
 * Distinguishes dead letters of equal messages, in the order of receipt. Two of them share a part only after 8,192
 * others in one millisecond.
 */
export class UniqueParts {
  /** Starts at a random number, so that two replicas that receive equal messages at once count differently. */
  #sequence = randomInt(sequences);

  /** @param receivedAt epoch milliseconds @returns 5 bytes */
  next(receivedAt: number): Uint8Array {
    this.#sequence = (this.#sequence + 1) % sequences;
    const part = Buffer.alloc(5);
    part.writeUIntBE((receivedAt % dayMs) * sequences + this.#sequence, 0, 5);
    return part;
  }
}
