import { earliestInstant, latestInstant } from '@engawa/keys';
import { parseTime } from '@engawa/model';
import { z } from 'zod';

const number = /^-?\d{1,16}(\.\d{1,9})?$/;
/** A space before the offset is a `+` that was not percent-encoded. */
const bareOffset = / (?=\d\d:?\d\d$)/;

/** Either form, for contracts: that 30 February is no day, a pattern does not say. */
const pattern = String.raw`^(-?\d{1,16}(\.\d{1,9})?|\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d([.,]\d+)?)?([Zz]|[ +-]\d\d:?\d\d))$`;

/** A moment in a query string, as in readings; its value is in epoch milliseconds. */
export const timeParameter = z
  .string()
  .meta({ pattern })
  .transform((text, context) => {
    const time = parseTime(number.test(text) ? Number(text) : text.replace(bareOffset, '+'));
    if (time !== undefined && time >= earliestInstant && time <= latestInstant) return time;
    context.addIssue(
      'must be a time: ISO 8601 with an offset, such as 2026-11-20T09:00:00Z, or epoch seconds or milliseconds',
    );
    return z.NEVER;
  });
