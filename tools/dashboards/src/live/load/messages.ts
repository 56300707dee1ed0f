import { keyLimit } from '../live-stack.ts';
import type { Message } from './publisher.ts';

export const hotDevice = 'freezer-7';
export const hotKey = `DEVICE#${hotDevice}`;
/** Readings a second of the hot device; each fills a write unit. */
export const hotRate = 5 * keyLimit;
/** Characters that fill a block, and so a write unit, with one reading. */
const note = 'n'.repeat(800);

/** Number of other devices, and their readings a second, all together. */
const calmDevices = 60;
export const calmRate = 20;
/** Every 41st message is of a new device; prime, so that all other devices keep sending. */
const newDeviceEvery = 41;

export function hotMessage(): Message {
  const payload = JSON.stringify({ ts: nextTime(), note });
  return { topic: `engawa/${hotDevice}/readings`, payload, qos: 1 };
}

export function calmMessage(number: number): Message {
  // Now and then a new device, so that bookkeeping goes on.
  const isNew = number % newDeviceEvery === 0;
  return climateMessage(isNew ? `new-sensor-${number}` : knownDevice(number), number, 1);
}

function climateMessage(device: string, number: number, qos: 0 | 1): Message {
  const temperature = Math.round(210 + 20 * Math.sin(Date.now() / 60_000)) / 10;
  const payload = JSON.stringify({ ts: nextTime(), temperature, humidity: 40 + (number % 7) });
  return { topic: `engawa/${device}/readings`, payload, qos };
}

function knownDevice(number: number): string {
  return `sensor-${number % calmDevices}`;
}

/** Two hours ahead: the time of a device in a wrong zone. */
const ahead = new Date(Date.now() + 7_200_000).toISOString();

/**
 * Payloads without a valid reading, each with another reason; a message of presence, one of a wrong clock, and one of
 * another publisher on a default topic.
 */
const poison: readonly { topic: string; payload: string }[] = [
  { topic: 'engawa/poison/readings', payload: '{"cut' },
  { topic: 'engawa/poison/readings', payload: '{"ts":"someday","temperature":20}' },
  { topic: 'engawa/poison/readings', payload: '{"temperature":1e400}' },
  { topic: 'engawa/poison/readings', payload: '{"temperature":20}' },
  { topic: 'zigbee2mqtt/poison', payload: '{"cut":' },
  { topic: 'tele/plug-3/LWT', payload: 'Online' },
  { topic: 'engawa/wrong-zone/readings', payload: `{"ts":"${ahead}","temperature":20}` },
  { topic: 'host-1/status/uptime', payload: '12345' },
  { topic: 'tele/plug-3/STATE', payload: '{"Time":"2026-11-20T09:00:00","POWER":"ON"}' },
];

export function poisonMessage(number: number): Message {
  const { topic, payload } = poison[number % poison.length] ?? { topic: '', payload: '' };
  // Blanks make each payload different: equal ones of one day would be one dead letter.
  return {
    topic,
    payload: payload.replace(/}?$/, (end) => `${' '.repeat(number % 500)}${end}`),
    qos: 1,
  };
}

/** QoS 0 is never sent again: a full window drops it. */
export function floodMessage(number: number): Message {
  return climateMessage(knownDevice(number), number, 0);
}

let latest = 0;

/** Unique times, since a reading is identified by its device and time. Epoch milliseconds. */
function nextTime(): number {
  latest = Math.max(latest + 1, Date.now());
  return latest;
}
