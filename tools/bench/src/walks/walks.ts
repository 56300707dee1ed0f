import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { everyMinute, lastMonth, monthPath } from '../query/month.ts';
import { SerialClient } from '../query/serial-client.ts';
import { deviceOf, packedBlocks, singleBlocks } from '../query/series.ts';
import type { WalksRig } from './rig.ts';

/** One thing that a service does for somebody, again and again. */
export interface RepeatedWalk {
  name: string;
  service: 'ingestion' | 'query' | 'catalog';
  /** Prepares the walk. @returns one walk; and the end */
  begin(url: string, rig: WalksRig): Promise<Walking>;
}

interface Walking {
  /** @param number of the walk, from 0 */
  walk(number: number): Promise<void>;
  end(): Promise<void>;
}

/** Uncounted walks, after which connections are open and devices known. */
export const warmUp = 2;

/** Milliseconds after the last answer in which a service ends what it has begun. */
const settleMs = 200;
const hour = 3_600_000;

export const walks: readonly RepeatedWalk[] = [
  { name: 'a reading that lingers', service: 'ingestion', begin: beginReading },
  { name: 'latest 10 readings', service: 'query', begin: beginLatest },
  { name: 'a month of hours, first', service: 'query', begin: beginMonth },
  { name: 'a month of hours, later', service: 'query', begin: beginLaterMonth },
  { name: 'an entity with one search, PUT', service: 'catalog', begin: beginEntity },
];

/** A message with one reading of a registered device, from its publishing until its acknowledgement. */
async function beginReading(_url: string, rig: WalksRig): Promise<Walking> {
  const client = await connectAsync(rig.mqttUrl, { protocolVersion: 4 });
  const walk = async (number: number) => {
    const stored = rig.untilStored('walk');
    const ts = new Date().toISOString();
    const reading = JSON.stringify({ ts, temperature: 20 + number / 10 });
    await client.publishAsync('engawa/walk/readings', reading, { qos: 1 });
    await stored;
    await sleep(settleMs);
  };
  return { walk, end: () => client.endAsync() };
}

async function beginLatest(url: string, rig: WalksRig): Promise<Walking> {
  const start = Math.floor(Date.now() / hour) * hour - 2 * hour;
  await rig.items.store([deviceOf('latest')]);
  await rig.items.store(singleBlocks('latest', { start, step: 60_000, count: 100 }));
  const client = new SerialClient(url);
  const walk = async () => {
    await client.ask('/v1/devices/latest/latest?limit=10');
    await sleep(settleMs);
  };
  return { walk, end: () => client.close() };
}

/** Each walk is of a device that was not asked for before. */
function beginMonth(url: string, rig: WalksRig): Promise<Walking> {
  return beginMonths(url, rig, warmUp + rig.repetitions);
}

/** All walks are of one device, whose hours the first one stores. */
function beginLaterMonth(url: string, rig: WalksRig): Promise<Walking> {
  return beginMonths(url, rig, 1);
}

/** Hourly averages of a month of arrays of 60 readings, of so many devices in turn. */
async function beginMonths(url: string, rig: WalksRig, devices: number): Promise<Walking> {
  const { from, to } = lastMonth(Date.now());
  const nameOf = (number: number) => `month-${number % devices}-of-${devices}`;
  for (let number = 0; number < devices; number += 1) {
    await rig.items.store([deviceOf(nameOf(number), hour)]);
    await rig.items.store(packedBlocks(nameOf(number), everyMinute(from), 60));
  }
  const client = new SerialClient(url);
  const walk = async (number: number) => {
    await client.ask(monthPath({ device: nameOf(number), from, to, functions: 'avg' }));
    await sleep(settleMs);
  };
  return { walk, end: () => client.close() };
}

async function beginEntity(url: string): Promise<Walking> {
  const put = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'PUT', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status} ${text}`);
  };
  const parts = [{ attribute: 'title', as: 'collated' }];
  await put('/v1/types/Book', {
    attributes: [{ name: 'title', kind: 'text' }],
    searches: [{ name: 'byTitle', parts }],
  });
  const walk = async (number: number) => {
    await put(`/v1/entities/Book/${number}`, { attributes: { title: `Book ${number}` } });
    await sleep(settleMs);
  };
  return { walk, end: () => Promise.resolve() };
}
