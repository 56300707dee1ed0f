import type { Device, Home } from './homes.ts';
import { localIsoTime } from './physics/clock.ts';
import type { Reading } from './simulation.ts';

/** One message of Engawa's own format: an object, or an array of objects, of `ts` and fields. */
export interface Message {
  topic: string;
  payload: string;
}

/** A message of a simulated device, with its readings. */
export interface DeviceMessage extends Message {
  device: string;
  readings: readonly Reading[];
}

export function topicOf(device: string): string {
  return `engawa/${device}/readings`;
}

const timeFormats: Record<Home['timeFormat'], (time: number) => string | number> = {
  iso: localIsoTime,
  milliseconds: (time) => time,
  seconds: (time) => time / 1000,
};

/** Writes readings as the device would: one alone as an object, an upload of more as an array. */
export function messageOf(
  device: Device,
  readings: readonly Reading[],
  form: 'single' | 'array',
): DeviceMessage {
  const formatTime = timeFormats[device.home.timeFormat];
  const rows = readings.map(({ time, fields }) => ({ ts: formatTime(time), ...fields }));
  return {
    topic: topicOf(device.id),
    payload: JSON.stringify(form === 'single' ? rows[0] : rows),
    device: device.id,
    readings,
  };
}
