import type { Signal } from '@preact/signals';
import type { DeviceState, PlaceState, RoomState } from './model.ts';

/** A row of the list. */
export type Row =
  | {
      kind: 'place';
      key: string;
      place: PlaceState;
      isCollapsed: boolean;
      count: number | undefined;
    }
  | { kind: 'room'; key: string; room: RoomState; place: PlaceState }
  | { kind: 'device'; key: string; device: Signal<DeviceState>; place: PlaceState }
  | { kind: 'loading'; key: string; place: PlaceState }
  | { kind: 'empty'; key: string; place: PlaceState }
  | { kind: 'failed'; key: string; place: PlaceState; error: unknown };

/** Places, rooms and devices as one list of rows. */
export function rowsOf(places: readonly PlaceState[], collapsed: ReadonlySet<string>): Row[] {
  return places.flatMap((place) => {
    const key = place.id ?? '';
    const isCollapsed = collapsed.has(key);
    const content = place.content.value;
    const count = content.kind === 'ready' ? content.devices : undefined;
    const header: Row = { kind: 'place', key: `place ${key}`, place, isCollapsed, count };
    return isCollapsed ? [header] : [header, ...contentRows(place, key)];
  });
}

function contentRows(place: PlaceState, key: string): Row[] {
  const content = place.content.value;
  switch (content.kind) {
    case 'idle':
    case 'loading':
      return [{ kind: 'loading', key: `loading ${key}`, place }];
    case 'failed':
      return [{ kind: 'failed', key: `failed ${key}`, place, error: content.error }];
    case 'ready':
      if (content.devices === 0) return [{ kind: 'empty', key: `empty ${key}`, place }];
      return content.rooms.flatMap((room): Row[] => [
        ...(place.id === undefined
          ? []
          : [{ kind: 'room' as const, key: `room ${key}/${room.id ?? ''}`, room, place }]),
        ...room.devices.map((device): Row => ({
          kind: 'device',
          key: `device ${device.peek().id}`,
          device,
          place,
        })),
      ]);
  }
}

/** Heights in pixels, by kind of row: on a wide screen, and on a phone. */
const heights: Record<Row['kind'], readonly [number, number]> = {
  place: [56, 56],
  room: [32, 32],
  device: [48, 80],
  loading: [48, 80],
  empty: [48, 48],
  failed: [240, 280],
};

export function heightOf(row: Row | undefined, isNarrow: boolean): number {
  if (row === undefined) return 0;
  const column = isNarrow ? 1 : 0;
  const height = heights[row.kind][column];
  if (row.kind !== 'loading') return height;
  // As high as the content, so that rows below do not move when it arrives.
  const { devices, rooms } = row.place.expected;
  return Math.max(height, devices * heights.device[column] + rooms * heights.room[column]);
}
