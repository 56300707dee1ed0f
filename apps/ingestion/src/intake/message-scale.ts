import { draftsWeight, maxParsedBytes, readingsWeight } from './memory-weight.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { Reading } from '@engawa/model';
import type { Draft } from '../decoders/decoder.ts';
import type { MemoryLimits } from './memory-weight.ts';

/** Readings of a message that may not be checked in one turn of the event loop. */
const minReadingsOfSlicedCheck = 500;

/** Weighs messages, and refuses those that take more memory than one message may have. */
export class MessageScale {
  readonly #limits: MemoryLimits;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  /** Before it is parsed. @throws Rejection */
  checkPayload(payloadBytes: number): void {
    if (payloadBytes > maxParsedBytes(this.#limits)) throw tooLarge(payloadBytes);
  }

  /** @throws Rejection */
  checkDrafts(payloadBytes: number, drafts: readonly Draft[]): void {
    const { min } = draftsWeight(payloadBytes, drafts);
    if (min > this.#limits.message) throw tooLarge(payloadBytes, drafts.length);
  }

  /** Of a message whose check takes several turns, what it may prove to take, since others come in meanwhile. */
  claimOf(payloadBytes: number, drafts: readonly Draft[]): number {
    const { min, max } = draftsWeight(payloadBytes, drafts);
    return drafts.length < minReadingsOfSlicedCheck ? min : Math.min(max, this.#limits.message);
  }

  /** @returns what weighs a message's readings. @throws Rejection when they are too much for one message */
  forReadings(
    payloadBytes: number,
    weighed: (bytes: number) => void = () => undefined,
  ): (readings: readonly Reading[]) => void {
    return (readings) => {
      const weight = readingsWeight(payloadBytes, readings);
      if (weight > this.#limits.message) throw tooLarge(payloadBytes, readings.length);
      weighed(weight);
    };
  }
}

/** It is kept whole: where there is more memory it can be replayed. */
function tooLarge(bytes: number, readings?: number): Rejection {
  const what =
    readings === undefined ? `${bytes} bytes` : `${bytes} bytes with ${readings} readings`;
  return new Rejection('too_large', `the message, of ${what}, takes more memory than one may have`);
}
