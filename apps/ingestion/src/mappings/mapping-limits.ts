import { maxParsedBytes, memoryLimits } from '../intake/memory-weight.ts';
import { Rejection } from '../refusals/rejection.ts';

/** Bounds of a document, so that a message has a bounded number of rules. */
export const maxMessages = 50;
export const maxFields = 200;
export const maxTextLength = 500;

/** Maximum steps for a message: a value looked at, a field, 64 characters of a text are one step each. */
export const maxSteps = 500_000;
/** A reading takes more memory than a field: a message has at most 50,000 of them, as with metrics of Sparkplug. */
export const stepsPerReading = 10;
const charactersPerStep = 64;
/** Deeper values are refused with the reading. */
const maxDepth = 32;
/** Maximum devices of a message: each is registered, and its readings are stored apart. */
export const maxDevices = 1000;
/** Maximum bytes of a decompressed payload: those of a payload that is not compressed. */
export const maxDecompressedBytes = maxParsedBytes(memoryLimits());
/** Maximum levels of a topic before those of a mapping. */
export const maxBaseLevels = 16;

/** Counts the steps for one message, so that no payload costs more than its mapping allows. */
export class StepCount {
  #steps = 0;

  get steps(): number {
    return this.#steps;
  }

  /** @throws Rejection when the message has taken its maximum */
  add(steps: number): void {
    this.#steps += steps;
    if (this.#steps > maxSteps) throw new Rejection('mapping-too-many-steps', { max: maxSteps });
  }

  /** Adds a value that becomes a field, with all values in it: several rules may take the same one. */
  addValue(value: unknown, depth = 0): void {
    if (typeof value === 'string') this.add(1 + Math.floor(value.length / charactersPerStep));
    else this.add(1);
    if (typeof value !== 'object' || value === null || depth === maxDepth) return;
    for (const inner of Object.values(value)) this.addValue(inner, depth + 1);
  }
}
