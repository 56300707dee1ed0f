import { compareBytes, correctionPrefix, membersPartition } from '@engawa/keys';
import { keyOf, parseCorrection, parseMembership } from '@engawa/model';
import { allOf, everythingOf } from './everything-of.ts';
import { pathOf } from './places.ts';
import type { Table } from '@engawa/table';
import { compareFilters } from './compare-filters.ts';
import type { RegistryModel } from './registry-model.ts';
import type { ServiceOnTable } from './start-service-on-table.ts';

interface FoundRoom {
  id: string;
  name: string;
  labels?: object;
}

const shown = ['name', 'place', 'room', 'labels', 'status'];

/** Expects that the replica answers, and the table holds, what the model says. */
export async function compareWithModel(
  { table, replica }: { table: Table; replica: ServiceOnTable },
  model: RegistryModel,
  ids: { places: readonly string[]; rooms: readonly string[]; devices: readonly string[] },
): Promise<void> {
  const body = async (path: string) => {
    const { status, body } = await replica.ask(path);
    return status === 404 ? undefined : (body as Record<string, unknown>);
  };
  const actual: Record<string, unknown> = {};
  const wanted: Record<string, unknown> = {};
  for (const id of ids.devices) {
    const device = await body(pathOf('devices', id));
    const known = model.devices.get(id);
    actual[`device ${id}`] = device && pick({ labels: {}, ...device }, shown);
    wanted[`device ${id}`] = known && pick({ ...known }, shown);
    const stored = await everythingOf(table, id);
    const blocks = stored.map((item) => keyOf(item).sk).filter((sk) => sk.startsWith('#TS'));
    actual[`blocks of ${id}`] = blocks.toSorted();
    wanted[`blocks of ${id}`] = [...(known?.blocks ?? [])].toSorted();
    const corrections = stored
      .filter((item) => keyOf(item).sk.startsWith(correctionPrefix))
      .map(parseCorrection);
    actual[`corrections of ${id}`] = corrections
      .map((one) => [one.id, one.undoneAt !== undefined])
      .toSorted();
    wanted[`corrections of ${id}`] = [...(known?.corrections ?? [])].toSorted();
  }
  for (const place of ids.places) {
    const known = model.places.get(place);
    const there = [...model.devices].filter(([, device]) => device.place === place);
    const found = await body(pathOf('places', place));
    actual[`place ${place}`] = found && {
      name: found['name'],
      labels: found['labels'] ?? {},
      rooms: (found['rooms'] as FoundRoom[]).map(({ id, name, labels = {} }) => [id, name, labels]),
      devices: (found['devices'] as Record<string, unknown>[])
        .map(({ device, room }) => [device, room])
        .toSorted(byId),
    };
    wanted[`place ${place}`] = known && {
      name: known.name,
      labels: known.labels,
      rooms: [...known.rooms].map(([id, { name, labels }]) => [id, name, labels]).toSorted(byId),
      devices: there.map(([id, { room }]) => [id, room]).toSorted(byId),
    };
    for (const room of [undefined, ...ids.rooms]) {
      const members = there.filter(([, device]) => room === undefined || device.room === room);
      const isThere = known !== undefined && (room === undefined || known.rooms.has(room));
      const name = `members of ${place} ${room ?? ''}`;
      const periods = (await allOf(table, membersPartition(place, room))).map(parseMembership);
      const present = periods.filter(({ until }) => until === undefined);
      // A deleted place or room keeps no past members either.
      actual[name] = isThere ? present.map(({ device }) => device).toSorted() : periods;
      wanted[name] = isThere ? members.map(([id]) => id).toSorted() : [];
    }
  }
  expect(actual).toEqual(wanted);
  await compareFilters(replica, model, ids);
}

function byId([one]: unknown[], [other]: unknown[]): number {
  return compareBytes(String(one), String(other));
}

function pick(from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}
