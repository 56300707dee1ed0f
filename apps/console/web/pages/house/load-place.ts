import { signal } from '@preact/signals';
import { api } from '../../api/client.ts';
import { allPages } from '../../api/load.ts';
import { mainField } from './model.ts';
import type { Signal } from '@preact/signals';
import type { query } from '@engawa/client';
import type { DeviceState, FieldState, RoomState } from './model.ts';
import type { SparkPoint } from '../../parts/sparkline.tsx';

type FieldsOfDevice = query.GetPlaceFieldsOutput['items'][number];

/** The largest page of each list: fewer requests per place. */
const pageLimit = 100;
/** A row of the response is a bucket of a device. */
const bucketLimit = 1000;
/** The hourly rollups of a day: stored once, and cheap to read again. */
const sparklineHours = 24;
const hourMs = 3_600_000;

/** Rooms and devices of a place with their current values: two lists, however many devices there are. */
export async function loadPlace(
  id: string,
  withoutRoom: string,
): Promise<{ rooms: RoomState[]; devices: Signal<DeviceState>[] }> {
  const rooms = new Map<string, string>();
  const [placed, values] = await Promise.all([
    allPages(async (cursor) => {
      const { body } = await api.registry.getPlace({ id, limit: pageLimit, cursor });
      for (const room of body.rooms) rooms.set(room.id, room.name);
      return { body: { items: body.devices, cursor: body.cursor } };
    }),
    loadPlaceFields(id),
  ]);
  const byRoom = Map.groupBy(placed, ({ room }) => room);
  const devices: Signal<DeviceState>[] = [];
  const roomStates = [...byRoom].map(([room, inRoom]): RoomState => {
    const states = inRoom.map(({ device, name, kind, lastEvent, lastEventAt }) => {
      const state: DeviceState = { id: device, name, kind, lastEvent, lastEventAt, fields: {} };
      return signal(withFields(state, values.get(device)));
    });
    devices.push(...states);
    const name = room === undefined ? withoutRoom : (rooms.get(room) ?? room);
    return { id: room, name, devices: states };
  });
  // Devices of the whole place, such as its meter, come first.
  roomStates.sort((one, other) => Number(one.id !== undefined) - Number(other.id !== undefined));
  return { rooms: roomStates, devices };
}

/** The last values of the fields of all devices at a place, by device. */
export async function loadPlaceFields(id: string): Promise<Map<string, FieldsOfDevice>> {
  const items = await allPages((cursor) =>
    api.query.getPlaceFields({ id, limit: pageLimit, cursor }),
  );
  return new Map(items.map((item) => [item.device.id, item]));
}

export function withFields(state: DeviceState, loaded: FieldsOfDevice | undefined): DeviceState {
  if (loaded === undefined) return state;
  const fields: Record<string, FieldState> = { ...state.fields };
  let newest = loaded.device.lastSeenAt;
  for (const { name, value, unit, time } of loaded.fields) {
    const known = fields[name];
    if (known === undefined || known.time <= time) fields[name] = { value, unit, time };
    if (time > newest) newest = time;
  }
  const heardAt = newest > (state.heardAt ?? '') ? newest : state.heardAt;
  return { ...state, fields, heardAt };
}

/** Adds sparklines to devices of a place: one list of aggregates for all devices. */
export async function loadSparklines(
  id: string,
  devices: readonly Signal<DeviceState>[],
): Promise<void> {
  const drawn = new Map<string, { state: Signal<DeviceState>; field: string }>();
  for (const state of devices) {
    const field = mainField(state.peek().fields);
    if (field !== undefined) drawn.set(state.peek().id, { state, field });
  }
  if (drawn.size === 0) return;
  const to = Math.ceil(Date.now() / hourMs) * hourMs;
  const from = to - sparklineHours * hourMs;
  const items = await allPages((cursor) =>
    api.query.getPlaceAggregates({
      id,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      every: 'PT1H',
      fn: ['avg'],
      fields: [...new Set([...drawn.values()].map(({ field }) => field))].map(quoted).join(','),
      groupBy: 'device',
      limit: bucketLimit,
      cursor,
    }),
  );
  for (const [device, buckets] of Map.groupBy(items, (item) => item.device ?? '')) {
    const target = drawn.get(device);
    if (target === undefined) continue;
    const points = Array<SparkPoint>(sparklineHours).fill(null);
    for (const bucket of buckets) {
      const index = Math.round((Date.parse(bucket.from) - from) / hourMs);
      points[index] = bucket.fields[target.field]?.avg ?? null;
    }
    const { state, field } = target;
    state.value = { ...state.peek(), sparkline: { field, points } };
  }
}

/** As in CSV, where the name has a comma or a quote. */
function quoted(field: string): string {
  return /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** The most devices of one request for latest readings. */
const devicesPerRequest = 100;

/** Devices without a place, with the values of their newest reading. */
export async function loadUnplaced(
  devices: readonly { id: string; name: string; kind: DeviceState['kind'] }[],
): Promise<Signal<DeviceState>[]> {
  const states: Signal<DeviceState>[] = [];
  for (let first = 0; first < devices.length; first += devicesPerRequest) {
    const chunk = devices.slice(first, first + devicesPerRequest);
    const ids = chunk.map(({ id }) => id);
    const items = await allPages((cursor) =>
      api.query.getLatestOfMany({ device: ids, readings: 1, limit: devicesPerRequest, cursor }),
    );
    const latest = new Map(items.map((item) => [item.device.id, item]));
    for (const device of chunk) {
      const found = latest.get(device.id);
      const [reading] = found?.readings ?? [];
      const fields = Object.fromEntries(
        Object.entries(reading?.fields ?? {}).map(([name, value]) => [
          name,
          { value, time: reading?.time ?? '' },
        ]),
      );
      states.push(
        signal({ ...device, fields, heardAt: reading?.time ?? found?.device.lastSeenAt }),
      );
    }
  }
  return states;
}
