import { parsePosition } from '@engawa/http';
import { z } from 'zod';
import { fieldNames, fieldsParameter } from '../parameters/fields-parameter.ts';
import { resolveRange } from '../parameters/resolve-range.ts';
import { seriesQuery } from './series.ts';
import type { Column, JsonValue } from '@engawa/http';
import type { Position } from '../readings/merge-blocks.ts';
import type { TimeRange } from '../time-range.ts';

/** The query parameters of readings. */
export const readingsQuery = z.strictObject({
  ...seriesQuery,
  fields: fieldsParameter
    .optional()
    .describe(
      `${fieldNames}: returns only these fields, and no reading without any of them. Determines the columns of CSV. Without \`fields\`, CSV has one column for each field in the range, and the range is read twice; it must not exceed the limits of one request.`,
    ),
  order: z.enum(['asc', 'desc']).default('asc').describe('Oldest first, or newest first.'),
});

export type ReadingsQuery = z.output<typeof readingsQuery>;

/** The beginning of a page. Includes the range, since a default end depends on the time of the request. */
export interface PageStart extends TimeRange {
  start?: Position | undefined;
}

const cursorPosition = z
  .tuple([z.int(), z.int(), z.int(), z.string().optional(), z.string().optional()])
  .transform(([from, to, time, digest, device]): PageStart => ({
    from,
    to,
    start: { time, digest, device },
  }));

/** @throws Problem `invalid-request` for an invalid range */
export function firstStart({ from, to, timeZone }: ReadingsQuery, now: number): PageStart {
  return resolveRange({ from, to }, { now, timeZone });
}

export function startFrom(position: JsonValue): PageStart {
  return parsePosition(cursorPosition, position);
}

export function positionOf({ from, to, start }: PageStart): JsonValue {
  const { time = from, digest, device } = start ?? {};
  return digest === undefined || device === undefined
    ? [from, to, time]
    : [from, to, time, digest, device];
}

/** The columns of CSV: time, device (where there are several), and the fields. */
export function columnsOf(fields: readonly string[], ofSeveral: boolean): Column[] {
  const first = ofSeveral ? ['time', 'device'] : ['time'];
  return [
    ...first.map((name) => ({ name, of: (row: Record<string, unknown>) => row[name] })),
    ...fields.map((name) => ({
      name,
      of: (row: Record<string, unknown>) => {
        const reported = row['fields'] as Record<string, unknown>;
        return Object.hasOwn(reported, name) ? reported[name] : undefined; // a field may be named `constructor`
      },
    })),
  ];
}
