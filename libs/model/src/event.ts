import type { Fields } from './reading.ts';

/**
 * Fields whose every change matters: doors and windows, buttons; also of one of several components,
 * as `input:1.action`.
 */
const eventField = /^([^.]+:\d+\.)?(contact|action|button)$/;

/** What of a reading is an event; undefined where nothing is. */
export function eventOf(fields: Fields): Fields | undefined {
  const entries = Object.entries(fields).filter(
    // A device says null or nothing when nothing happened.
    ([name, value]) => value !== null && value !== '' && eventField.test(name),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** What changes in a placement when its device reports an event at this time (epoch milliseconds). */
export function eventAttributes(time: number, event: Fields) {
  return { lastEventAt: time, lastEvent: event };
}
