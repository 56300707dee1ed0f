import { randomInt } from 'node:crypto';

const dayMs = 86_400_000;
/** Of a part's 40 bits the first 27 count the milliseconds of the day, the others dead letters. */
const sequences = 2 ** 13;

/** Tells dead letters of equal messages apart, in the order of receipt: two of them only share a part after 8,192 others in one millisecond. */
export class UniqueParts {
  /** Begins anywhere, so that two replicas that receive equal messages at once do not count alike. */
  #sequence = randomInt(sequences);

  /** @param receivedAt epoch milliseconds @returns 5 bytes */
  next(receivedAt: number): Uint8Array {
    this.#sequence = (this.#sequence + 1) % sequences;
    const part = Buffer.alloc(5);
    part.writeUIntBE((receivedAt % dayMs) * sequences + this.#sequence, 0, 5);
    return part;
  }
}
