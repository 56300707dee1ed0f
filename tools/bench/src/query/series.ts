import { blockItem, deviceItem, packReadings, spanOf } from '@engawa/model';
import { attributesOf } from '../attributes.ts';
import type { Reading } from '@engawa/model';

/** Readings of a device, one each `step`: everything follows from where they begin. */
export interface Series {
  /** Epoch milliseconds of the first. */
  start: number;
  /** Milliseconds from one to the next. */
  step: number;
  count: number;
}

/** Three fields with three digits behind the point, so that adding doubles up would show. */
export function readingAt({ start, step }: Series, index: number): Reading {
  const fields = Object.fromEntries(
    fieldNames.map((name, field) => [name, thousandths(index, field) / 1000]),
  );
  return { time: start + index * step, fields };
}

export const fieldNames = ['humidity', 'power', 'temperature'] as const;

/** A field's value as a whole number, for sums that cannot be wrong. */
export function thousandths(index: number, field: number): number {
  return 15_001 + ((index * (7919 + 2 * field)) % 20_011) + field * 40_000;
}

/** The items, as JSON for DynamoDB, of readings that came one by one. */
export function* singleBlocks(device: string, series: Series): Generator<object> {
  for (let index = 0; index < series.count; index++) {
    yield attributesOf(blockItem({ device, readings: [readingAt(series, index)] }));
  }
}

/** The items of readings that came in arrays of so many. */
export function* packedBlocks(device: string, series: Series, size: number): Generator<object> {
  for (let first = 0; first < series.count; first += size) {
    const length = Math.min(size, series.count - first);
    const readings = Array.from({ length }, (_, index) => readingAt(series, first + index));
    for (const pack of packReadings(device, readings)) {
      yield attributesOf(blockItem({ device, readings: pack }));
    }
  }
}

/** The item of a device that ingestion has registered; `packed`, milliseconds that its arrays target over. */
export function deviceOf(id: string, packed = 0): object {
  const ends = [0, packed].map((time) => ({ time, fields: {} }));
  const device = {
    id,
    name: id,
    kind: 'climate',
    status: 'active',
    registeredAt: Date.UTC(2026, 0, 1),
    lastSeenAt: Date.UTC(2026, 0, 1),
    span: spanOf(ends),
    version: 1,
  } as const;
  return attributesOf(deviceItem(device, { list: 1, seen: 1 }));
}
