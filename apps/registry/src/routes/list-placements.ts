import {
  listQuery,
  nextCursor,
  parsePosition,
  cursorContext,
  readPage,
  readRows,
  route,
} from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { expectAllowedDevice } from '../devices/allowed-device.ts';
import { periodOutput, showPeriod } from '../placements/period-output.ts';
import { columnOf } from './list-places.ts';
import type { CursorCodec, JsonValue, ListCall, PageRequest, Places, Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';
import type { HistoryPosition } from '../placements/placement-history.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

export interface ListPlacementsOptions {
  devices: DeviceStore;
  placements: PlacementStore;
  cursors: CursorCodec;
}

const operationId = 'listPlacements';
const params = z.strictObject({ id: deviceId });

interface PlacementsCall extends ListCall {
  params: z.output<typeof params>;
  places: Places;
  signal: AbortSignal;
}

/** A position in a cursor. */
const position = z
  .tuple([z.string().nullable(), z.string().nullable(), z.number()])
  .transform(([sk, place, until]): HistoryPosition => ({
    sk: sk ?? undefined,
    open: place === null ? undefined : { place, until },
  }));

export function listPlacements({ devices, placements, cursors }: ListPlacementsOptions): Route {
  const listing = {
    cursors,
    cursorContext: ({ params }: PlacementsCall) => cursorContext(operationId, params),
    read: async (call: PlacementsCall, { limit, after, budget }: PageRequest) => {
      const { params, places, signal } = call;
      await expectAllowedDevice(devices, params.id, places);
      if (places.isRestricted) budget.charge(1);
      const from = parsePosition(position.optional(), after);
      const question = { device: params.id, limit, after: from, budget, signal };
      const page = await placements.history(question);
      const entries = page.entries.filter(({ period }) => places.allows(period.place));
      const positions = entries.map(({ position }) => written(position));
      const items = entries.map(({ period }) => showPeriod(period));
      return { items, positions, after: page.after && written(page.after) };
    },
  };
  return route({
    method: 'get',
    path: '/v1/devices/{id}/placements',
    operationId,
    summary: 'The current and former locations of a device, newest first',
    description: 'Eventually consistent: a move may appear a moment later.',
    tags: ['placements'],
    params,
    query: z.strictObject(listQuery),
    responses: {
      200: {
        description: 'A page of the history.',
        schema: z.strictObject({ items: z.array(periodOutput), cursor: nextCursor }),
      },
    },
    problems: ['device-not-found'],
    filtersByPlace: true,
    rows: {
      schema: periodOutput,
      columns: () => ['place', 'room', 'since', 'until'].map(columnOf),
      each: (call) => readRows(listing, call),
    },
    handle: async (call) => {
      const { items, cursor } = await readPage(listing, call);
      return { status: 200, body: { items, cursor } };
    },
  });
}

function written({ sk, open }: HistoryPosition): JsonValue {
  return [sk ?? null, open?.place ?? null, open?.until ?? 0];
}
