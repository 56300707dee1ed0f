import { earliestInstant, latestInstant } from '@engawa/keys';
import { parseTime } from '@engawa/model';
import { z } from 'zod';

/** A time in a body, in the forms that readings may have; in epoch milliseconds. */
export const timeField = z.union([z.string(), z.number()]).transform((given, context) => {
  const time = parseTime(given);
  if (time !== undefined && time >= earliestInstant && time <= latestInstant) return time;
  context.addIssue(
    'must be a time: ISO 8601 with an offset, such as 2026-11-20T09:00:00Z, or epoch seconds or milliseconds',
  );
  return z.NEVER;
});
