import { parsePosition } from '@engawa/http';
import { z } from 'zod';
import { fieldNames, fieldsParameter } from '../parameters/fields-parameter.ts';
import { resolveRange } from '../parameters/resolve-range.ts';
import { seriesQuery } from './series-routes.ts';
import type { Column, Json } from '@engawa/http';
import type { Position, TimeRange } from '../readings/merge-blocks.ts';

/** The parameters of readings, whoever they are of. */
export const readingsQuery = z.strictObject({
  ...seriesQuery,
  fields: fieldsParameter
    .optional()
    .describe(
      `${fieldNames}: gives only these, and no reading without any of them. The columns of CSV; without it, CSV has one for each field in the range, which is read twice then.`,
    ),
  order: z.enum(['asc', 'desc']).default('asc').describe('Oldest first, or newest first.'),
});

export type ReadingsQuery = z.output<typeof readingsQuery>;

/** Where a page begins. The range is a part of it, since an end that is not given depends on when it was asked for. */
export interface Start extends TimeRange {
  start?: Position | undefined;
}

const cursorPosition = z
  .tuple([z.int(), z.int(), z.int(), z.string().optional(), z.string().optional()])
  .transform(([from, to, time, digest, device]): Start => ({
    from,
    to,
    start: { time, digest, device },
  }));

/** @throws Problem `invalid-request` for a range that is none */
export function firstStart({ from, to, timeZone }: ReadingsQuery, now: number): Start {
  return resolveRange({ from, to }, { now, timeZone });
}

export function startFrom(position: Json): Start {
  return parsePosition(cursorPosition, position);
}

export function positionOf({ from, to, start }: Start): Json {
  const { time = from, digest, device } = start ?? {};
  return digest === undefined || device === undefined
    ? [from, to, time]
    : [from, to, time, digest, device];
}

/** The columns of CSV: time, device where there are several, and the fields. */
export function columnsOf(fields: readonly string[], ofSeveral: boolean): Column[] {
  const first = ofSeveral ? ['time', 'device'] : ['time'];
  return [
    ...first.map((name) => ({ name, of: (row: Record<string, unknown>) => row[name] })),
    ...fields.map((name) => ({
      name,
      of: (row: Record<string, unknown>) => {
        const reported = row['fields'] as Record<string, unknown>;
        return Object.hasOwn(reported, name) ? reported[name] : undefined; // as in `constructor`
      },
    })),
  ];
}
