import type { Fields } from './reading.ts';

/**
 * Fields of which every change is an event: doors, windows, buttons; also of one of several components, as
 * `input:1.action`.
 */
const eventField = /^([^.]+:\d+\.)?(contact|action|button)$/;

/** The event fields of a reading; undefined where it has none. */
export function eventOf(fields: Fields): Fields | undefined {
  const names = Object.keys(fields).filter((name) => eventField.test(name));
  // Devices send null or an empty text when nothing happened.
  const named = names.filter((name) => fields[name] !== null && fields[name] !== '');
  if (named.length === 0) return undefined;
  return Object.fromEntries(named.map((name) => [name, fields[name] ?? null]));
}

/** The attributes of a placement that an event of its device at this time (epoch milliseconds) changes. */
export function eventAttributes(time: number, event: Fields) {
  return { lastEventAt: time, lastEvent: event };
}
