import type { Fields } from './reading.ts';

/** Fields whose every change matters: doors and windows, buttons. */
const eventFields = ['contact', 'action', 'button'];

/** What of a reading is an event; undefined where nothing is. */
export function eventOf(fields: Fields): Fields | undefined {
  const entries = eventFields.flatMap((name) => {
    const value = fields[name];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** What changes in a placement when its device reports an event at this time (epoch milliseconds). */
export function eventAttributes(time: number, event: Fields) {
  return { lastEventAt: time, lastEvent: event };
}
