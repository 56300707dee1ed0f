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
  return Object.fromEntries(Object.entries(fields).filter(([name]) => named.includes(name)));
}

/** An event of a device. Times are epoch milliseconds. */
export interface DeviceEvent {
  time: number;
  fields: Fields;
  /** Of two events of one time, the one that was received later is the last one. */
  receivedAt: number;
}

/** The attributes of a placement that an event of its device changes. */
export function eventAttributes({ time, fields, receivedAt }: DeviceEvent) {
  return { lastEventAt: time, lastEvent: fields, lastEventReceivedAt: receivedAt };
}
