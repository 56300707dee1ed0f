import { blockItem, deviceItem, packReadings, blockSpanOf } from '@engawa/model';
import { attributesOf } from '../attributes.ts';
import type { Reading } from '@engawa/model';

/** Readings of a device at regular times; their values follow from their times. */
export interface Series {
  /** Epoch milliseconds of the first reading. */
  start: number;
  /** Milliseconds between two readings. */
  step: number;
  count: number;
}

/** Three fields with three decimals, so that rounding errors of doubles would show in sums. */
export function readingAt({ start, step }: Series, index: number): Reading {
  const fields = Object.fromEntries(
    fieldNames.map((name, field) => [name, thousandths(index, field) / 1000]),
  );
  return { time: start + index * step, fields };
}

export const fieldNames = ['humidity', 'power', 'temperature'] as const;

/** A field's value as a whole number, for exact sums. */
export function thousandths(index: number, field: number): number {
  return 15_001 + ((index * (7919 + 2 * field)) % 20_011) + field * 40_000;
}

/** The items, as JSON for DynamoDB, of readings that were sent one by one. */
export function* singleBlocks(device: string, series: Series): Generator<object> {
  for (let index = 0; index < series.count; index++) {
    yield attributesOf(blockItem({ device, readings: [readingAt(series, index)] }));
  }
}

/** The items of readings that were sent in arrays of this length. */
export function* packedBlocks(device: string, series: Series, size: number): Generator<object> {
  for (let first = 0; first < series.count; first += size) {
    const length = Math.min(size, series.count - first);
    const readings = Array.from({ length }, (_, index) => readingAt(series, first + index));
    for (const pack of packReadings(device, readings)) {
      yield attributesOf(blockItem({ device, readings: pack }));
    }
  }
}

/** The item of a device that ingestion has registered; `packed` is the time span of its arrays in milliseconds. */
export function deviceOf(id: string, packed = 0): object {
  const ends = [0, packed].map((time) => ({ time, fields: {} }));
  const device = {
    id,
    name: id,
    kind: 'climate',
    status: 'active',
    registeredAt: Date.UTC(2026, 0, 1),
    lastSeenAt: Date.UTC(2026, 0, 1),
    span: blockSpanOf(ends),
    version: 1,
  } as const;
  return attributesOf(deviceItem(device, { list: 1, seen: 1 }));
}
