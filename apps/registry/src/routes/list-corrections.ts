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
import { showCorrection, correctionOutput } from '../corrections/correction-schemas.ts';
import { correctionAccess } from '../corrections/correction-access.ts';
import { columnOf } from './list-places.ts';
import type { CursorCodec, ListCall, PageRequest, Places, Route } from '@engawa/http';
import type { CorrectionRoutesOptions } from './corrections.ts';

const operationId = 'listCorrections';
const params = z.strictObject({ id: deviceId });

/** The columns of CSV, which lacks the replacement readings. */
const columns = [
  ...['id', 'operation', 'from', 'to', 'at', 'fields', 'why'],
  ...['by', 'madeAt', 'undoneAt', 'undoneBy'],
];

interface CorrectionsCall extends ListCall {
  params: z.output<typeof params>;
  places: Places;
  signal: AbortSignal;
}

export function listCorrections(
  options: CorrectionRoutesOptions & { cursors: CursorCodec },
): Route {
  const { cursors, devices, corrections } = options;
  const listing = {
    cursors,
    cursorContext: ({ params }: CorrectionsCall) => cursorContext(operationId, params),
    read: async (call: CorrectionsCall, { limit, after, budget }: PageRequest) => {
      const { params, places, signal } = call;
      budget.charge(1);
      const { device } = await devices.read(params.id, signal);
      const isOwn = await correctionAccess(options, params.id, { places, budget, signal });
      const from = parsePosition(z.string().optional(), after);
      const page = await corrections.list(params.id, { limit, after: from, signal });
      budget.charge(page.units);
      const shown = page.corrections.filter(isOwn);
      const items = shown.map((one) => showCorrection(one, device.corrections));
      return { items, positions: shown.map(({ id }) => id), after: page.after };
    },
  };
  return route({
    method: 'get',
    path: '/v1/devices/{id}/corrections',
    operationId,
    summary: 'The corrections of a device, sorted by id',
    description:
      'Includes undone corrections. Ids that begin with a time, such as ULIDs, are in the order of that time.',
    tags: ['corrections'],
    params,
    query: z.strictObject(listQuery),
    responses: {
      200: {
        description: 'A page of the list.',
        schema: z.strictObject({ items: z.array(correctionOutput), cursor: nextCursor }),
      },
    },
    problems: ['device-not-found', 'too-many-conflicts'],
    filtersByPlace: true,
    rows: {
      schema: correctionOutput,
      columns: () => columns.map(columnOf),
      each: (call) => readRows(listing, call),
    },
    handle: async (call) => {
      const { items, cursor } = await readPage(listing, call);
      return { status: 200, body: { items, cursor } };
    },
  });
}
