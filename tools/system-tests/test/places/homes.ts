import { deviceMembershipsPartition, devicePartition, placePartition } from '@engawa/keys';
import {
  blockItem,
  correctionItem,
  deviceItem,
  membershipItem,
  placeItem,
  placementItem,
  roomItem,
} from '@engawa/model';
import { aDevice } from '@engawa/testing';
import type { Document, Membership } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Services } from '../services.ts';

const hour = 3_600_000;

/** Whether a request addresses the caller's own things, another owner's, or missing ones. */
export const owners = ['own', 'their', 'none'] as const;
export type Owner = (typeof owners)[number];

/** Occurs only in names and values of the other home: no response to a restricted caller may contain it. */
export const secretName = 'SECRET';
export const secretValue = 31_337;
/** The whole number: its digits may occur in other numbers by chance. */
const wholeNumber = (value: number) => new RegExp(`(?<![\\d.])${value}(?![\\d.])`);
export const secretNumber = wholeNumber(secretValue);
/** The value that a caller with access to `own-home` receives. */
export const ownValue = 21_012;
export const ownNumber = wholeNumber(ownValue);

/** Milliseconds; whole hours, so that aggregates cut nothing off. */
export const now = Math.floor(Date.now() / hour) * hour;

interface PastMembership extends Pick<Membership, 'place' | 'since' | 'until'> {
  value: number;
}

/** Registers a device that was in these places one after the other, with one reading per hour. */
async function addDevice(
  table: Table,
  id: string,
  name: string,
  stays: PastMembership[],
): Promise<void> {
  const since = stays.at(-1)?.since ?? now - 10 * hour;
  const current = stays.find(({ until }) => until === undefined);
  const at = current && { place: current.place, room: roomOf(current.place), since };
  const about = { name, ...annotations(name) };
  const device = aDevice({ id, ...about, kind: 'climate', lastSeenAt: now - hour, ...at });
  await table.put({
    ...deviceItem(device, { list: 1, seen: 1 }),
    ...(current && { arrivedAt: since }),
  });
  for (const { value, place, since, until } of stays) {
    const stay = { device: id, place, since, ...(until !== undefined && { until }) };
    await table.put({ ...membershipItem(stay) });
    await table.put({ ...membershipItem({ ...stay, room: roomOf(place) }) });
    const correction = {
      ...{ device: id, id: place.replace('home', 'spike'), sequence: 1 },
      madeAt: 0,
    };
    const what = { operation: 'ignore' as const, from: since, to: since + 1 };
    const why = place === 'own-home' ? 'Mine' : secretName;
    await table.put({ ...correctionItem({ ...correction, ...what, why }) });
    for (let time = since; time < (until ?? now); time += hour) {
      const readings = [{ time: time + 1, fields: { temperature: value, count: value } }];
      await table.put({ ...blockItem({ device: id, readings }) });
    }
  }
  if (at === undefined) return;
  const event = { lastEventAt: now - hour, lastEvent: { contact: name } };
  await table.put({ ...placementItem({ ...at, device: id, name, kind: 'climate', ...event }) });
}

const annotations = (name: string) => ({ labels: { name }, metadata: JSON.stringify({ name }) });

const roomOf = (place: string) => place.replace('-home', '-hall');

interface Operator {
  put(service: 'catalog', path: string, body: object): Promise<void>;
}

/** Two homes, and devices in all relations to them. */
export async function seedHomes({ table }: Services, operator: Operator): Promise<void> {
  for (const [owner, name] of [
    ['own', 'Mine'],
    ['their', secretName],
  ] as const) {
    const id = `${owner}-home`;
    const item = { name, ...annotations(name), registeredAt: now - 24 * hour, version: 1 };
    await table.put({ ...placeItem({ id, ...item }, 1) });
    await table.put({ ...roomItem({ place: id, id: roomOf(id), ...item }, 1) });
  }
  const early = { since: now - 10 * hour, until: now - 5 * hour };
  const late = { since: now - 5 * hour };
  const [own, their] = [
    { place: 'own-home', value: ownValue },
    { place: 'their-home', value: secretValue },
  ];
  await addDevice(table, 'own-meter', 'Mine', [{ ...own, since: now - 10 * hour }]);
  await addDevice(table, 'own-mover', 'Mine', [
    { ...their, ...early },
    { ...own, ...late },
  ]);
  await addDevice(table, 'their-meter', secretName, [{ ...their, since: now - 10 * hour }]);
  await addDevice(table, 'their-loose', secretName, [{ ...their, ...early }]);
  // Its readings in the caller's home remain visible there; the device itself has left.
  await addDevice(table, 'gone-mover', secretName, [
    { ...own, ...early },
    { ...their, ...late },
  ]);
  await operator.put('catalog', '/v1/types/their-type', {
    attributes: [{ name: 'title', kind: 'text' }],
    searches: [{ name: 'their-search', parts: [{ attribute: 'title' }] }],
  });
  await operator.put('catalog', '/v1/entities/their-type/their-meter', {
    attributes: { title: secretName },
  });
}

const devices = ['own-meter', 'own-mover', 'their-meter', 'their-loose', 'gone-mover'];

/** All stored items of the homes and their devices, without rollups, which reads create. */
export async function everything(table: Table): Promise<Document[]> {
  const places = ['own-home', 'their-home', 'none-home'].map(placePartition);
  const pages = await Promise.all([
    ...[...places, ...[...devices, 'none-meter'].map((id) => devicePartition(id))].map((pk) =>
      table.query({ pk }),
    ),
    ...devices.map((id) => table.query({ index: 'gsi1', pk: deviceMembershipsPartition(id) })),
  ]);
  return pages
    .flatMap(({ items }) => items)
    .filter(({ sk }) => typeof sk === 'string' && !sk.includes('AGG'));
}
