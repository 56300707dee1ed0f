import { invariant } from '@engawa/errors';
import { z } from 'zod';

const seconds = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 };

/**
 * Either weeks, or days, hours, minutes and seconds: whole numbers, at least one of them (ISO
 * 8601-1, 5.5.2.2 and 5.5.2.3). No years and months, whose lengths vary.
 */
const form =
  /^P(?:(?<week>\d{1,9})W|(?=\d|T\d)(?:(?<day>\d{1,9})D)?(?:T(?=\d)(?:(?<hour>\d{1,9})H)?(?:(?<minute>\d{1,9})M)?(?:(?<second>\d{1,9})S)?)?)$/;

/** The same without named groups, for the OpenAPI document. */
const pattern = form.source.replaceAll(/\?<\w+>/g, '');

/** Milliseconds; undefined where the text is not such a duration. */
export function parseDuration(text: string): number | undefined {
  const groups = form.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const units = Object.entries(seconds);
  return units.reduce((sum, [unit, each]) => sum + Number(groups[unit] ?? 0) * each * 1000, 0);
}

const bounds = 'the bounds of a duration are durations';

/** A duration in a query string, in milliseconds; the bounds are inclusive. */
export function durationParameter({ from, to }: { from: string; to: string }) {
  const shortest = invariant(parseDuration(from), bounds);
  const longest = invariant(parseDuration(to), bounds);
  const written = z.string().meta({ pattern });
  return written.transform((text, context) => {
    const duration = parseDuration(text);
    if (duration !== undefined && duration >= shortest && duration <= longest) return duration;
    context.addIssue(
      duration === undefined
        ? 'must be an ISO 8601 duration in weeks, or in days, hours, minutes and seconds, such as PT1H or P1DT12H'
        : `must be from ${from} to ${to}`,
    );
    return z.NEVER;
  });
}
