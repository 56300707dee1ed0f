import type { Fields } from './reading.ts';

/**
 * Fields of which every change is an event: doors, windows, buttons; also of one of several components, as
 * `input:1.action`.
 */
const eventField = /^([^.]+:\d+\.)?(contact|action|button)$/;

/** The event fields of a reading; undefined where it has none. */
export function eventOf(fields: Fields): Fields | undefined {
  const entries = Object.entries(fields).filter(
    // Devices send null or an empty text when nothing happened.
    ([name, value]) => value !== null && value !== '' && eventField.test(name),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The attributes of a placement that an event of its device at this time (epoch milliseconds) changes. */
export function eventAttributes(time: number, event: Fields) {
  return { lastEventAt: time, lastEvent: event };
}
