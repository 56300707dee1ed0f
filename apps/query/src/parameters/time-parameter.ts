import { earliestInstant, latestInstant } from '@engawa/keys';
import { parseTime } from '@engawa/model';
import { z } from 'zod';

/** A time as a client gives it, before `now` and the time zone are known: epoch milliseconds, or one of the relative forms. */
export type GivenTime = number | { beforeNowMs: number } | { date: string };

const number = /^-?\d{1,16}(\.\d{1,9})?$/;
/** A space before the offset is a `+` that was not percent-encoded. */
const bareOffset = / (?=\d\d:?\d\d$)/;
const relative = /^now(?:-(\d{1,9})([smhdw]))?$/;
const plainDate = /^\d{4}-\d\d-\d\d$/;

/** A day is 24 hours here, also where the clocks change. */
const unitsMs: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** All forms, for contracts: that 30 February is no day, a pattern does not say. */
const pattern = String.raw`^(-?\d{1,16}(\.\d{1,9})?|now(-\d{1,9}[smhdw])?|\d{4}-\d\d-\d\d([Tt]\d\d:\d\d(:\d\d([.,]\d+)?)?([Zz]|[ +-]\d\d:?\d\d))?)$`;

/** The forms of a time, for descriptions. */
export const timeForms =
  'ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m` (units s, m, h, d, w: a day is 24 hours), or a date such as `2026-11-20`, which is its midnight in `timeZone`';

/**
 * A moment in a query string. Not resolved yet, so that a question is the same on each of its pages: the cursor has the
 * moments that `now` and dates stood for on the first one.
 */
export const timeParameter = z
  .string()
  .meta({ pattern })
  .transform((text, context): GivenTime => {
    const given = relativeTime(text) ?? dateOf(text) ?? absoluteTime(text);
    if (given !== undefined) return given;
    context.addIssue(
      'must be a time: ISO 8601 with an offset, such as 2026-11-20T09:00:00Z, epoch seconds or milliseconds, now, now-1h, or a date',
    );
    return z.NEVER;
  });

function relativeTime(text: string): GivenTime | undefined {
  const match = relative.exec(text);
  if (match === null) return undefined;
  const [, count = '0', unit = 's'] = match;
  return { beforeNowMs: Number(count) * (unitsMs[unit] ?? NaN) };
}

function dateOf(text: string): GivenTime | undefined {
  if (!plainDate.test(text)) return undefined;
  return parseTime(`${text}T00:00:00Z`) === undefined ? undefined : { date: text };
}

function absoluteTime(text: string): number | undefined {
  const time = parseTime(number.test(text) ? Number(text) : text.replace(bareOffset, '+'));
  return time !== undefined && time >= earliestInstant && time <= latestInstant ? time : undefined;
}
