import { invariant } from '@engawa/errors';
import { earliestInstant, latestInstant } from '@engawa/keys';
import { parseTime } from '@engawa/model';
import { z } from 'zod';

/**
 * A time in a request, before relative and local times are resolved: epoch milliseconds, a relative
 * time or a local time.
 */
export type ParsedTime = number | { afterNowMs: number } | LocalTime;

/** A local time: a date, which means its midnight, or a date and time without an offset. */
export type LocalTime = { date: string } | { local: string };

const number = /^-?\d{1,16}(\.\d{1,9})?$/;
/** A `+` that was not percent-encoded is decoded as a space before the offset. */
const bareOffset = / (?=\d\d:?\d\d$)/;
/** A `+` that was not percent-encoded is decoded as a space. */
const relative = /^now(?:([ +-])(\d{1,9})([smhdw]))?$/;
const plainDate = /^\d{4}-\d\d-\d\d$/;
const localDateTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?$/i;

/** A day is 24 hours here, also across a clock change. */
const unitsMs: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** All forms, for the OpenAPI document; the pattern also matches dates that do not exist. */
const pattern = String.raw`^(-?\d{1,16}(\.\d{1,9})?|now([ +-]\d{1,9}[smhdw])?|\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?)?|\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d([.,]\d+)?)?([Zz]|[ +-]\d\d:?\d\d))$`;

/** The forms of a time, for descriptions. */
export const timeForms =
  'ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m`, `now+30d` (units s, m, h, d, w: a day is 24 hours), or a local time in `timeZone`: a date such as `2026-11-20`, which means its midnight, or a date and time such as `2026-11-20T08:30`';

/**
 * A time in a query string. It is resolved later, so that the parameters are equal for all pages of
 * a list: the cursor has the instants to which `now` and dates were resolved for the first page.
 */
export const timeParameter = z
  .string()
  .meta({ pattern })
  .transform((text, context): ParsedTime => {
    const given = relativeTime(text) ?? localTimeOf(text) ?? absoluteTime(text);
    if (given !== undefined) return given;
    context.addIssue(
      'must be a time: ISO 8601, such as 2026-11-20T09:00:00Z, epoch seconds or milliseconds, now, now-1h, or a date',
    );
    return z.NEVER;
  });

/** Parses `now`, `now-15m` or `now+30d`; undefined for another form. */
export function relativeTime(text: string): ParsedTime | undefined {
  const match = relative.exec(text);
  if (match === null) return undefined;
  const [, sign, count = '0', unit = 's'] = match;
  return {
    afterNowMs:
      Number(count) *
      invariant(unitsMs[unit], 'the pattern has known units only') *
      (sign === '-' ? -1 : 1),
  };
}

/** Parses a local time; undefined for another form, or a date or time that does not exist. */
export function localTimeOf(text: string): LocalTime | undefined {
  const isDate = plainDate.test(text);
  if (!isDate && !localDateTime.test(text)) return undefined;
  const local = isDate ? `${text}T00:00` : text.replace(' ', 'T').replace(',', '.').toUpperCase();
  if (parseTime(`${local}Z`) === undefined) return undefined;
  return isDate ? { date: text } : { local };
}

/** Parses a number or a time with an offset to epoch milliseconds; undefined for another form. */
export function absoluteTime(text: string): number | undefined {
  const time = parseTime(number.test(text) ? Number(text) : text.replace(bareOffset, '+'));
  return time !== undefined && time >= earliestInstant && time <= latestInstant ? time : undefined;
}
