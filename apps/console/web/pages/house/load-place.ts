import { signal } from '@preact/signals';
import { api } from '../../api/client.ts';
import { allPages } from '../../api/load.ts';
import { learnUnit } from './units.ts';
import type { Signal } from '@preact/signals';
import type { query, registry } from '@engawa/client';
import { effectiveTime, newerField } from './model.ts';
import type { DeviceState, FieldState, RoomState } from './model.ts';

type FieldsOfDevice = query.GetPlaceFieldsOutput['items'][number];
type PlacedDevice = registry.GetPlaceOutput['devices'][number];

/** The largest page of each list: fewer requests per place. */
const pageLimit = 100;

export interface LoadedPlace {
  rooms: RoomState[];
  /** When the last of its devices was placed, ISO 8601; empty without devices. */
  newestSince: string;
}

/**
 * Rooms and devices of a place with their current values: two lists, however many devices there are.
 * @param known devices that are shown already, whose rows stay
 */
export async function loadPlace(
  id: string,
  withoutRoom: string,
  known: ReadonlyMap<string, Signal<DeviceState>>,
): Promise<LoadedPlace> {
  const names = new Map<string, string>();
  const [placed, values] = await Promise.all([
    allPages(async (cursor) => {
      const { body } = await api.registry.getPlace({ id, limit: pageLimit, cursor });
      for (const room of body.rooms) names.set(room.id, room.name);
      return { body: { items: body.devices, cursor: body.cursor } };
    }),
    loadPlaceFields(id),
  ]);
  const rooms = [...Map.groupBy(placed, ({ room }) => room)].map(([room, inRoom]): RoomState => {
    const devices = inRoom.map((device) => {
      const shown = known.get(device.device) ?? signal(stateOf(device));
      shown.value = withFields(withPlaced(shown.peek(), device), values.get(device.device));
      return shown;
    });
    const name = room === undefined ? withoutRoom : (names.get(room) ?? room);
    return { id: room, name, devices };
  });
  // Devices of the whole place, such as its meter, come first.
  rooms.sort((one, other) => Number(one.id !== undefined) - Number(other.id !== undefined));
  const newestSince = placed.reduce((newest, { since }) => (since > newest ? since : newest), '');
  return { rooms, newestSince };
}

function stateOf({ device, name, kind }: PlacedDevice): DeviceState {
  return { id: device, name, kind, fields: {} };
}

function withPlaced(state: DeviceState, placed: PlacedDevice): DeviceState {
  const { name, kind, lastEvent, lastEventAt } = placed;
  const isNewer = (lastEventAt ?? '') > (state.lastEventAt ?? '');
  return { ...state, name, kind, isLoading: false, ...(isNewer && { lastEvent, lastEventAt }) };
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
  const now = Date.now();
  let newest = loaded.device.lastSeenAt;
  for (const { name, value, unit, kind, time } of loaded.fields) {
    if (kind === 'number') learnUnit(name, unit);
    fields[name] = newerField(fields[name], { value, unit, time }, now);
    const at = effectiveTime(time, now);
    if (at > newest) newest = at;
  }
  const heardAt = newest > (state.heardAt ?? '') ? newest : state.heardAt;
  return { ...state, fields, heardAt };
}
