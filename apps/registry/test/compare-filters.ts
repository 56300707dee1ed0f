import { labelKeys, labelValues } from './random-operations.ts';
import type { RegistryModel } from './registry-model.ts';
import type { ServiceOnTable } from './start-service-on-table.ts';

/** Expects that each filter, in each order, gives those of the model that fit. */
export async function compareFilters(
  replica: ServiceOnTable,
  model: RegistryModel,
  ids: { places: readonly string[]; rooms: readonly string[] },
): Promise<void> {
  const actual: Record<string, unknown> = {};
  const wanted: Record<string, unknown> = {};
  const compare = async (path: string, filter: Record<string, string>, found: string[]) => {
    const what = `${path}?${new URLSearchParams(filter).toString()}`;
    actual[what] = await all(replica, what);
    wanted[what] = found.toSorted();
  };
  const labels = labelKeys.flatMap((key) => labelValues.map((value) => [key, value] as const));
  const rooms = ids.places.flatMap((place) => ids.rooms.map((room) => ({ place, room })));
  const filters: Record<string, string>[] = [
    { status: 'pending' },
    ...ids.places.map((place) => ({ place })),
    ...rooms,
    ...labels.map(([key, value]) => ({ label: `${key}=${value}` })),
    ...labels.map(([key, value]) => ({ label: `${key}=${value}`, place: ids.places[0] ?? '' })),
  ];
  for (const filter of filters) {
    const fits = ([, device]: [
      string,
      { labels: Labels; status: string; place?: unknown; room?: unknown },
    ]) =>
      (filter['status'] ?? device.status) === device.status &&
      (filter['place'] ?? device.place) === device.place &&
      (filter['room'] ?? device.room) === device.room &&
      hasLabel(device.labels, filter['label']);
    const found = [...model.devices].filter(fits).map(([id]) => id);
    for (const order of ['name', '-lastSeen'])
      await compare('/v1/devices', { ...filter, order }, found);
  }
  for (const [key, value] of labels) {
    const label = `${key}=${value}`;
    const places = [...model.places].filter(([, place]) => hasLabel(place.labels, label));
    await compare(
      '/v1/places',
      { label },
      places.map(([id]) => id),
    );
    const found = [...model.places].flatMap(([place, known]) =>
      [...known.rooms].flatMap(([id, room]) =>
        hasLabel(room.labels, label) ? [`${place}/${id}`] : [],
      ),
    );
    await compare('/v1/rooms', { label }, found);
  }
  expect(actual).toEqual(wanted);
}

type Labels = Readonly<Record<string, string>>;

function hasLabel(labels: Labels, label: string | undefined): boolean {
  return (
    label === undefined ||
    Object.entries(labels).some(([key, value]) => `${key}=${value}` === label)
  );
}

/** The ids on all pages, a room's behind that of its place. */
async function all(replica: ServiceOnTable, path: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { status, body } = await replica.ask(
      `${path}&limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`,
    );
    expect([path, status]).toEqual([path, 200]);
    const page = body as {
      items: { id: string; place?: string; version?: number }[];
      cursor?: string;
    };
    const isRoom = path.startsWith('/v1/rooms');
    ids.push(...page.items.map(({ id, place = '' }) => (isRoom ? `${place}/${id}` : id)));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return ids.toSorted();
}
