import { earliestInstant, latestInstant } from '@engawa/keys';
import { z } from 'zod';

const number = /^-?\d{1,16}(\.\d{1,9})?$/;
/** A space before the offset is a `+` that was not percent-encoded. */
const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+ -]\d\d:?\d\d)$/i;

/** Below this a number is epoch seconds, from here on milliseconds; ingestion reads the times of readings so too. */
const firstMilliseconds = 1e11;
const lastMilliseconds = 1e14;

/** A moment in a query string; its value is in epoch milliseconds. */
export const timeParameter = z.string().transform((text, context) => {
  const time = number.test(text) ? fromNumber(Number(text)) : fromIso(text);
  if (time >= earliestInstant && time <= latestInstant) return time;
  context.addIssue(
    'must be a time: ISO 8601 with an offset, such as 2026-11-20T09:00:00Z, or epoch seconds or milliseconds',
  );
  return z.NEVER;
});

function fromNumber(value: number): number {
  const magnitude = Math.abs(value);
  if (magnitude > lastMilliseconds) return NaN; // micro- or nanoseconds
  return Math.round(magnitude < firstMilliseconds ? value * 1000 : value);
}

function fromIso(text: string): number {
  return isoInstant.test(text) ? Date.parse(text.replace(',', '.').replace(' ', '+')) : NaN;
}
