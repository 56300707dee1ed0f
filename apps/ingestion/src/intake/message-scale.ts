import { draftsWeight, maxParsedBytes, readingsWeight } from './memory-weight.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { Reading } from '@engawa/model';
import type { Draft } from '../decoders/decoder.ts';
import type { MemoryLimits } from './memory-weight.ts';

/** Payloads up to this size are small for any number of readings: they are weighed once, after the check. */
const smallPayloadBytes = 4096;
/** Number of readings from which the check of a message takes several turns of the event loop. */
const minReadingsOfSlicedCheck = 500;

/** Weighs messages, and rejects messages that need more memory than one message may have. */
export class MessageScale {
  readonly #limits: MemoryLimits;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  /** To be called before parsing. @throws Rejection when the payload is too large */
  checkPayload(payloadBytes: number): void {
    if (payloadBytes > maxParsedBytes(this.#limits)) throw tooLarge(payloadBytes);
  }

  /** @throws Rejection when the drafts need too much memory */
  checkDrafts(payloadBytes: number, drafts: readonly Draft[]): void {
    if (payloadBytes <= smallPayloadBytes) return;
    const { min } = draftsWeight(payloadBytes, drafts);
    if (min > this.#limits.message) throw tooLarge(payloadBytes, drafts.length);
  }

  /**
   * Memory to claim before the check. If the check takes several turns of the event loop, it is the maximum: other
   * messages arrive meanwhile. Undefined where a small message will be weighed in the same turn.
   */
  claimOf(payloadBytes: number, drafts: readonly Draft[]): number | undefined {
    if (payloadBytes <= smallPayloadBytes && drafts.length < minReadingsOfSlicedCheck) {
      return undefined;
    }
    const { min, max } = draftsWeight(payloadBytes, drafts);
    return drafts.length < minReadingsOfSlicedCheck ? min : Math.min(max, this.#limits.message);
  }

  /** The weight of the valid readings of a message. @throws Rejection when they need too much memory */
  checkReadings(payloadBytes: number, readings: readonly Reading[]): number {
    const weight = readingsWeight(payloadBytes, readings);
    if (weight > this.#limits.message) throw tooLarge(payloadBytes, readings.length);
    return weight;
  }
}

/** The whole message becomes a dead letter: a process with more memory can replay it. */
function tooLarge(bytes: number, readings?: number): Rejection {
  return new Rejection('message-too-large', { bytes, readings });
}
