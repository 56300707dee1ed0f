import { unitOf } from './units.ts';
import type { registry } from '@engawa/client';
import type { Signal } from '@preact/signals';
import type { SparkPoint } from '../../parts/sparkline.tsx';

export type FieldValue = number | string | boolean | null;
export type DeviceKind = 'meter' | 'climate' | 'contact' | 'button' | 'other';

export interface FieldState {
  value: FieldValue;
  unit?: string | undefined;
  /** ISO 8601. */
  time: string;
  /** When the page got the value, if its time was ahead: ISO 8601. */
  arrivedAt?: string;
}

/** A device as its row shows it. */
export interface DeviceState {
  id: string;
  name: string;
  kind: DeviceKind;
  fields: Readonly<Record<string, FieldState>>;
  /** The last event of a door or button, ISO 8601. */
  lastEventAt?: string | undefined;
  lastEvent?: Readonly<Record<string, FieldValue>> | undefined;
  /** When the device last sent a message, ISO 8601. */
  heardAt?: string | undefined;
  /** Its values have not been loaded yet. */
  isLoading?: boolean;
  sparkline?: { field: string; points: readonly SparkPoint[] } | undefined;
}

export interface RoomState {
  /** undefined for devices in no room. */
  id: string | undefined;
  name: string;
  devices: readonly Signal<DeviceState>[];
}

export type PlaceContent =
  | { kind: 'idle' }
  | { kind: 'loading' }
  | { kind: 'ready'; rooms: readonly RoomState[]; devices: number }
  | { kind: 'failed'; error: unknown };

export interface PlaceState {
  /** undefined for devices without a place. */
  id: string | undefined;
  name: string;
  /** According to the list of devices: the space that the content takes once it is loaded. */
  expected: { devices: number; rooms: number };
  content: Signal<PlaceContent>;
}

/** Fields in the order of display; other fields follow by name. The first numeric one is drawn as a sparkline. */
const order = [
  'contact',
  'action',
  'power',
  'temperature',
  'humidity',
  'co2',
  'illuminance',
  'energyImport',
  'energyExport',
];
/** Of interest when they are low, not every day. */
const last = new Set(['battery', 'linkQuality', 'linkquality', 'rssi', 'voltage']);

const rank = (field: string): number => {
  const index = order.indexOf(field);
  return index >= 0 ? index : order.length + (last.has(field) ? 1 : 0);
};

export function sortedFields(fields: DeviceState['fields']): [string, FieldState][] {
  return Object.entries(fields).sort(
    ([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1),
  );
}

/** Counters only grow, so that their line says little. */
const counters = new Set(['energyImport', 'energyExport']);

/** The field that the sparkline shows. */
export function mainField(fields: DeviceState['fields']): string | undefined {
  return sortedFields(fields).find(
    ([name, { value }]) => typeof value === 'number' && !counters.has(name) && !last.has(name),
  )?.[0];
}

/** A device with a newer reading. Older values of other fields stay. */
export function withReading(
  device: DeviceState,
  { time, fields }: { time: string; fields: Readonly<Record<string, FieldValue>> },
  now = Date.now(),
): DeviceState {
  const merged: Record<string, FieldState> = { ...device.fields };
  for (const [name, value] of Object.entries(fields)) {
    const known = merged[name];
    merged[name] = newerField(known, { value, unit: known?.unit ?? unitOf(name), time }, now);
  }
  const hasEvents = device.kind === 'contact' || device.kind === 'button';
  const at = effectiveTime(time, now);
  const isNewest = at >= (device.lastEventAt ?? '');
  return {
    ...device,
    fields: merged,
    heardAt: at > (device.heardAt ?? '') ? at : device.heardAt,
    ...(hasEvents && isNewest && { lastEvent: fields, lastEventAt: at }),
  };
}

/** By how much clocks may differ, and how long a reading may be on its way. */
const toleranceMs = 60_000;

/** The time, or now if the time is ahead, in ISO 8601. */
export function effectiveTime(time: string, now: number): string {
  return Date.parse(time) > now + toleranceMs ? new Date(now).toISOString() : time;
}

/** A value that has come now, or the known one if it is newer. A value that was ahead when it came is not. */
export function newerField(
  known: FieldState | undefined,
  { value, unit, time }: FieldState,
  now: number,
): FieldState {
  const at = effectiveTime(time, now);
  if (known !== undefined && isNewer(known, at)) return known;
  return { value, unit, time, ...(at !== time && { arrivedAt: at }) };
}

function isNewer({ time, arrivedAt }: FieldState, at: string): boolean {
  if (arrivedAt === undefined) return time > at;
  return Date.parse(arrivedAt) - toleranceMs > Date.parse(at);
}

export const hourMs = 3_600_000;

/** Milliseconds without a message after which a device counts as silent. Doors and buttons send events only. */
export function silentAfterMs(kind: DeviceKind): number {
  return kind === 'contact' || kind === 'button' ? 7 * 24 * hourMs : 3 * hourMs;
}

/** @param now epoch milliseconds */
export function isSilent(
  { kind, heardAt }: { kind: DeviceKind; heardAt?: string | undefined },
  now: number,
): boolean {
  return heardAt !== undefined && now - Date.parse(heardAt) > silentAfterMs(kind);
}

/** The registry knows last seen and the state of the clock within an hour of each other. */
const clockKnownMs = 2 * 3_600_000;

/** Whether the readings of a device are still ahead of their receipt. */
export function isClockAhead({ clockAhead, lastSeenAt }: ClockState): boolean {
  if (clockAhead === undefined || lastSeenAt === undefined) return false;
  return Date.parse(lastSeenAt) - Date.parse(clockAhead.at) < clockKnownMs;
}

type ClockState = Pick<registry.ListDevicesOutput['items'][number], 'clockAhead' | 'lastSeenAt'>;
