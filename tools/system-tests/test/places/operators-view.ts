import { readingItem } from './histories.ts';
import type { Table } from '@engawa/table';
import type { Caller } from './caller.ts';
import type { World } from './histories.ts';
import type { Request } from './requests.ts';

const hour = 3_600_000;

/** What an operator sees of the time of a device at places that are not those of a restricted caller. */
export interface ViewElsewhere {
  /** Times of its readings, asked of the device and of the other home. */
  ofDevice: number[];
  atTheirs: number[];
  /** The number of readings that aggregates of the other home count. */
  counted: number;
}

export const emptyView: ViewElsewhere = { ofDevice: [], atTheirs: [], counted: 0 };

/** The request of a JSON body. */
export function getOf(service: 'query' | 'registry', path: string): Request {
  const about = { operationId: 'view', method: 'GET', scope: undefined, about: [] };
  return { service, path, ...about, headers: { accept: 'application/json' } };
}

export async function viewElsewhere(operator: Caller, world: World): Promise<ViewElsewhere> {
  const place = `/v1/places/${world.home('their')}`;
  return {
    ofDevice: await timesElsewhere(operator, `/v1/devices/${world.device}`),
    atTheirs: await timesElsewhere(operator, place),
    counted: await countOf(operator, place),
  };
}

/** What an operator has to see if nothing of the time elsewhere has changed, and the device took a reading since. */
export function expectedView({ readings }: World, later: number): ViewElsewhere {
  const elsewhere = readings.filter(({ owner }) => owner !== 'own');
  const times = (some: readonly { time: number }[]) => [...some.map(({ time }) => time), later];
  const atTheirs = times(elsewhere.filter(({ owner }) => owner === 'their'));
  return { ofDevice: times(elsewhere), atTheirs, counted: atTheirs.length };
}

/** Moves the device to the other home, where it takes another reading. @returns its time */
export async function moveOn(operator: Caller, table: Table, world: World): Promise<number> {
  const since = Date.now() + 2000;
  const path = `/v1/places/${world.home('their')}/devices/${world.device}`;
  await operator.put('registry', path, { since });
  const time = since + 1;
  await table.put(readingItem(world.device, { time, owner: 'their' }));
  return time;
}

const range = () => `from=${Date.now() - 100 * hour}&to=${Date.now() + 48 * hour}`;

/** The times of the readings of a series that were not taken at the caller's home, as far as they say. */
async function timesElsewhere(operator: Caller, path: string): Promise<number[]> {
  const items = await itemsOf<{ time: string; fields: { takenAt?: string } }>(
    operator,
    `${path}/readings?${range()}&limit=1000`,
  );
  return items.filter(({ fields }) => fields.takenAt !== 'own').map(({ time }) => Date.parse(time));
}

async function countOf(operator: Caller, path: string): Promise<number> {
  const question = `fields=count&fn=sum&every=P1D&${range()}`;
  const items = await itemsOf<{ fields: { count?: { sum: number } } }>(
    operator,
    `${path}/aggregates?${question}`,
  );
  return items.reduce((total, { fields }) => total + (fields.count?.sum ?? 0), 0);
}

async function itemsOf<Item>(operator: Caller, path: string): Promise<Item[]> {
  const { status, text } = await operator.ask(getOf('query', path));
  if (status !== 200) throw new Error(`${path}: ${text}`);
  const [json = ''] = text.split('\n');
  return (JSON.parse(json) as { items: Item[] }).items;
}
