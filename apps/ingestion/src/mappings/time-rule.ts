import { timeOfSetClock } from '../decoders/device-clock.ts';
import { isNumberText, shift } from '../decoders/quantities.ts';
import { zonedClock } from '../decoders/zoned-clock.ts';
import { InvalidPart, inPart } from './document-part.ts';
import type { MessageRule } from './mapping-document.ts';

type TimeDescription = NonNullable<MessageRule['time']>;

/**
 * The time of a draft: undefined where the clock of the device is not set. What is no time stays as it is, and is
 * refused with the reading.
 * @param receivedAt epoch milliseconds
 */
export type TimeRule = (value: unknown, receivedAt: number) => unknown;

/** Decimal places from a unit to milliseconds. */
const exponents = { seconds: 3, milliseconds: 0, microseconds: -3, nanoseconds: -6 } as const;

/** @throws RangeError for a time zone that does not exist, or a local time without one */
export function timeRule({ format, zone }: TimeDescription): TimeRule {
  if (format === 'local') return localTime(zone);
  if (zone !== undefined)
    throw new InvalidPart(['zone'], `zone is for the format local, not for ${format}`);
  if (format === 'iso') return (value) => timeOfSetClock(value);
  const exponent = exponents[format];
  return (value) => {
    const written = typeof value === 'string' && isNumberText(value) ? Number(value) : value;
    const milliseconds = Number(shift(written, exponent));
    if (typeof written !== 'number' || !Number.isFinite(milliseconds)) return value;
    const date = new Date(Math.floor(milliseconds));
    return timeOfSetClock(date.getTime()) === undefined ? undefined : date;
  };
}

function localTime(zone: string | undefined): TimeRule {
  if (zone === undefined)
    throw new RangeError(
      'zone is missing: a local time needs the zone of its clock, such as Asia/Tokyo',
    );
  const instantOf = inPart(['zone'], () => zonedClock(zone));
  return (value, receivedAt) =>
    typeof value === 'string'
      ? timeOfSetClock(instantOf(value.replace(' ', 'T'), receivedAt))
      : value;
}
