import { earliestInstant, latestInstant } from '@engawa/keys';
import { parseTime } from '@engawa/model';
import { z } from 'zod';

/** A time as a client gives it, before `now` and the time zone are known: epoch milliseconds, or one of the others. */
export type GivenTime = number | { beforeNowMs: number } | LocalTime;

/** By the clocks of a time zone: a date, which is its midnight, or a date and time without an offset. */
export type LocalTime = { date: string } | { local: string };

const number = /^-?\d{1,16}(\.\d{1,9})?$/;
/** A space before the offset is a `+` that was not percent-encoded. */
const bareOffset = / (?=\d\d:?\d\d$)/;
const relative = /^now(?:-(\d{1,9})([smhdw]))?$/;
const plainDate = /^\d{4}-\d\d-\d\d$/;
const localDateTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?$/i;

/** A day is 24 hours here, also where the clocks change. */
const unitsMs: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** All forms, for contracts: that 30 February is no day, a pattern does not say. */
const pattern = String.raw`^(-?\d{1,16}(\.\d{1,9})?|now(-\d{1,9}[smhdw])?|\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?)?|\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d([.,]\d+)?)?([Zz]|[ +-]\d\d:?\d\d))$`;

/** The forms of a time, for descriptions. */
export const timeForms =
  'ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m` (units s, m, h, d, w: a day is 24 hours), or by the clocks of `timeZone`: a date such as `2026-11-20`, which is its midnight, or a date and time such as `2026-11-20T08:30`';

/**
 * A moment in a query string. Not resolved yet, so that a question is the same on each of its pages: the cursor has the
 * moments that `now` and dates stood for on the first one.
 */
export const timeParameter = z
  .string()
  .meta({ pattern })
  .transform((text, context): GivenTime => {
    const given = relativeTime(text) ?? localTimeOf(text) ?? absoluteTime(text);
    if (given !== undefined) return given;
    context.addIssue(
      'must be a time: ISO 8601, such as 2026-11-20T09:00:00Z, epoch seconds or milliseconds, now, now-1h, or a date',
    );
    return z.NEVER;
  });

function relativeTime(text: string): GivenTime | undefined {
  const match = relative.exec(text);
  if (match === null) return undefined;
  const [, count = '0', unit = 's'] = match;
  return { beforeNowMs: Number(count) * (unitsMs[unit] ?? NaN) };
}

/** Undefined for what is no such text, or no day or hour that there is. */
export function localTimeOf(text: string): LocalTime | undefined {
  const isDate = plainDate.test(text);
  if (!isDate && !localDateTime.test(text)) return undefined;
  const local = isDate ? `${text}T00:00` : text.replace(' ', 'T').replace(',', '.').toUpperCase();
  if (parseTime(`${local}Z`) === undefined) return undefined;
  return isDate ? { date: text } : { local };
}

/** Epoch milliseconds; undefined for what is no number and has no offset. */
export function absoluteTime(text: string): number | undefined {
  const time = parseTime(number.test(text) ? Number(text) : text.replace(bareOffset, '+'));
  return time !== undefined && time >= earliestInstant && time <= latestInstant ? time : undefined;
}
