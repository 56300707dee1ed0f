import { getHeapStatistics } from 'node:v8';
import { maxBlockSpanMs } from '@engawa/model';
import { fieldsWeight, bytesPerReading } from '../storing/reading-weight.ts';
import type { Reading } from '@engawa/model';
import type { Draft } from '../decoders/decoder.ts';

const megabyte = 1024 * 1024;

/*
 * Bytes of heap from receipt until the table has stored everything. Measured with Node 24.21 as the difference of
 * `heapUsed` after two garbage collections, with Mosquitto and a table that does not answer (readings as the array of
 * one message, 8 devices):
 *
 * | fields of a reading   | readings per message | payload bytes per reading | heap bytes per reading | estimate |
 * | --------------------- | -------------------- | ------------------------- | ---------------------- | -------- |
 * | 1 number              | 1                    | 39                        | 7,440                  | 7,340    |
 * | 1 number              | 100                  | 40                        | 320                    | 370      |
 * | 5 numbers             | 100                  | 98                        | 470                    | 770      |
 * | 20 numbers            | 60                   | 350                       | 1,390                  | 2,320    |
 * | text of 100           | 100                  | 136                       | 770                    | 1,370    |
 * | Japanese text of 100  | 100                  | 336                       | 1,730                  | 1,370    |
 * | text of 10,000        | 10                   | 10,035                    | 23,100                 | 101,000  |
 *
 * The estimate of texts is higher because the request bodies in flight have to be added.
 */
const bytesPerMessage = 4500;
/** Per hour with readings: a block spans at most an hour. */
const bytesPerBlock = 2500;
/**
 * Per byte of a payload that becomes a dead letter: it is written as base64, once in the item and once in the request
 * body.
 */
const bytesPerDeadLetterByte = 3;
/** Per byte of a text that is parsed: `[{},{},…]` needs the most. */
const bytesPerParsedByte = 24;
/** Per byte of a body of readings, on average. */
const bytesPerUploadedByte = 12;

/** Heap of an idle process (44 MB), and of its caches. */
const baselineBytes = 60 * megabyte;
/** Fraction of the remaining heap that may be held; the rest is for garbage, and for one message beyond the limit. */
const maxHeldRatio = 0.5;
/** More in flight does not increase throughput. */
const maxBudgetBytes = 256 * megabyte;
const minBudgetBytes = 8 * megabyte;
/** Fraction of the budget that one message may use. */
const maxMessageRatio = 0.25;
/** In addition to the budget, as a fraction of it: parked readings that are held in memory. */
const maxParkedRatio = 0.4;

/** Limits in estimated bytes of heap: of everything together, of one message, of parked readings. */
export interface MemoryLimits {
  budget: number;
  message: number;
  parked: number;
}

/** @param heapLimit bytes, from V8: `--max-old-space-size`, or the memory of the machine or container */
export function memoryLimits(heapLimit = getHeapStatistics().heap_size_limit): MemoryLimits {
  const budget = Math.max(
    minBudgetBytes,
    Math.min(maxBudgetBytes, (heapLimit - baselineBytes) * maxHeldRatio),
  );
  return { budget, message: budget * maxMessageRatio, parked: budget * maxParkedRatio };
}

/** Maximum bytes of a payload that is parsed; the result is weighed afterwards. */
export function maxParsedBytes({ message }: MemoryLimits): number {
  return Math.floor(message / bytesPerParsedByte);
}

/** Weight of a message that becomes a dead letter. */
export function deadLetterWeight(payloadBytes: number): number {
  return bytesPerMessage + payloadBytes * bytesPerDeadLetterByte;
}

/** Approximate weight of a part of a body, or of a dead letter, before it is parsed. */
export function uploadWeight(bytes: number): number {
  return bytes * bytesPerUploadedByte;
}

/**
 * Weight of a message whose readings are not checked yet: `min` if all readings are of one hour, `max` if each is of
 * another hour.
 * @param payloadBytes the payload is held too, for a dead letter
 */
export function draftsWeight(
  payloadBytes: number,
  drafts: readonly Draft[],
): { min: number; max: number } {
  const fields = drafts.reduce((sum, draft) => sum + fieldsWeight(draft.fields), 0);
  const readings = bytesPerMessage + payloadBytes + drafts.length * bytesPerReading + fields;
  return { min: readings + bytesPerBlock, max: readings + drafts.length * bytesPerBlock };
}

/** Weight of a message whose readings wait to be stored. */
export function readingsWeight(payloadBytes: number, readings: readonly Reading[]): number {
  let weight = bytesPerMessage + payloadBytes;
  for (const { fields } of readings) weight += bytesPerReading + fieldsWeight(fields);
  return weight + countHours(readings) * bytesPerBlock;
}

function countHours(readings: readonly Reading[]): number {
  if (readings.length < 2) return readings.length;
  return new Set(readings.map(({ time }) => Math.floor(time / maxBlockSpanMs))).size;
}
