import { hour, monthPath } from '../query/month.ts';
import { lastHour, subject } from './fill.ts';
import type { Month } from './fill.ts';

export interface Pattern {
  name: string;
  service: 'query' | 'registry';
  path: string;
}

/** Requests whose cost must not depend on the size of the table. */
export function patternsOf({ from, to }: Month): readonly Pattern[] {
  const time = (value: number) => new Date(value).toISOString();
  const device = `/v1/devices/${subject}`;
  const range = `from=${time(to - hour)}&to=${time(to)}`;
  const query = (name: string, path: string): Pattern => ({ name, service: 'query', path });
  const registry = (name: string, path: string): Pattern => ({ name, service: 'registry', path });
  return [
    query('the latest 10 readings of a device', `${device}/latest?limit=10`),
    query(`an hour of ${lastHour} readings`, `${device}/readings?${range}&limit=1000`),
    query('the last values of all fields', `${device}/fields`),
    query('hourly averages of a month', monthPath({ device: subject, from, to, functions: 'avg' })),
    registry('a device', device),
    registry('a page of 10 devices by name', '/v1/devices?limit=10'),
    registry('a page of 10 silent devices', '/v1/devices?silentFor=PT1H&limit=10'),
  ];
}
