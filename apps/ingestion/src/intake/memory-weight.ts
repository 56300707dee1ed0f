import { getHeapStatistics } from 'node:v8';
import { maxBlockSpanMs } from '@engawa/model';
import { fieldsWeight, perReading } from '../storing/reading-weight.ts';
import type { Reading } from '@engawa/model';
import type { Draft } from '../decoders/decoder.ts';

const megabyte = 1024 * 1024;

/*
 * Bytes of heap from receipt until the table has taken everything. Measured with Node 24.21 as the difference of `heapUsed`
 * after two collections, with Mosquitto and a table that does not answer (readings as the array of one message, 8 devices):
 *
 * | fields of a reading   | readings a message | payload, bytes a reading | heap, bytes a reading | what is said here |
 * | --------------------- | ------------------ | ------------------------ | --------------------- | ----------------- |
 * | 1 number              | 1                  | 39                       | 7,440                 | 7,340             |
 * | 1 number              | 100                | 40                       | 320                   | 370               |
 * | 5 numbers             | 100                | 98                       | 470                   | 770               |
 * | 20 numbers            | 60                 | 350                      | 1,390                 | 2,320             |
 * | text of 100           | 100                | 136                      | 770                   | 1,370             |
 * | Japanese text of 100  | 100                | 336                      | 1,730                 | 1,370             |
 * | text of 10,000        | 10                 | 10,035                   | 23,100                | 101,000           |
 *
 * Texts count for more, because the bodies of requests that are under way are to be added.
 */
const perMessage = 4500;
/** For each hour in which there are readings, since a block spans no more. */
const perBlock = 2500;
/** Of a payload that is kept as it is: it is written as base64, once as an item and once as the body of a request. */
const perDeadLetterByte = 3;
/** Of a text that is being parsed, before it is known what is in it: `[{},{},…]` gives most. */
const perParsedByte = 24;
/** Of a body of readings, usually. */
const perUploadedByte = 12;

/** Bytes of heap that the process takes with nothing to do (44 MB), and for its caches. */
const baselineBytes = 60 * megabyte;
/** Part of the rest that may be held; what is left is for garbage, and for one message that was larger than the room. */
const maxHeldRatio = 0.5;
/** More in flight makes nothing faster. */
const maxBudgetBytes = 256 * megabyte;
const minBudgetBytes = 8 * megabyte;
/** Part of the budget that one message may take. */
const maxMessageRatio = 0.25;
/** Beside the budget, in proportion to it: readings that are parked and kept in memory as well. */
const maxParkedRatio = 0.4;

/** What may be held together, in one message, and of parked readings, in estimated bytes of heap. */
export interface MemoryLimits {
  budget: number;
  message: number;
  parked: number;
}

/** @param heapLimit bytes, as V8 has it from `--max-old-space-size` or the memory of the machine or container */
export function memoryLimits(heapLimit = getHeapStatistics().heap_size_limit): MemoryLimits {
  const budget = Math.max(
    minBudgetBytes,
    Math.min(maxBudgetBytes, (heapLimit - baselineBytes) * maxHeldRatio),
  );
  return { budget, message: budget * maxMessageRatio, parked: budget * maxParkedRatio };
}

/** Bytes of a payload that may be parsed; what is in it is weighed when it was. */
export function maxParsedBytes({ message }: MemoryLimits): number {
  return Math.floor(message / perParsedByte);
}

/** Of a message that becomes a dead letter. */
export function deadLetterWeight(payloadBytes: number): number {
  return perMessage + payloadBytes * perDeadLetterByte;
}

/** Of a part of a body, or of a dead letter, that is going to be parsed, roughly. */
export function uploadWeight(bytes: number): number {
  return bytes * perUploadedByte;
}

/**
 * Of a message whose readings are not checked yet: `least` if all are of one hour, `most` if each is of another.
 * @param payloadBytes are kept beside it, for a dead letter
 */
export function draftsWeight(
  payloadBytes: number,
  drafts: readonly Draft[],
): { min: number; max: number } {
  const fields = drafts.reduce((sum, draft) => sum + fieldsWeight(draft.fields), 0);
  const readings = perMessage + payloadBytes + drafts.length * perReading + fields;
  return { min: readings + perBlock, max: readings + drafts.length * perBlock };
}

/** Of a message whose readings wait to be stored. */
export function readingsWeight(payloadBytes: number, readings: readonly Reading[]): number {
  const hours = new Set<number>();
  let weight = perMessage + payloadBytes;
  for (const { time, fields } of readings) {
    weight += perReading + fieldsWeight(fields);
    hours.add(Math.floor(time / maxBlockSpanMs));
  }
  return weight + hours.size * perBlock;
}
