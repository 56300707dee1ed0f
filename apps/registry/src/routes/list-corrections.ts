import {
  listQuery,
  nextCursor,
  parsePosition,
  questionOf,
  readPage,
  readRows,
  route,
} from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { showCorrection, shownCorrection } from '../corrections/correction-schemas.ts';
import { correctableBy } from './corrections.ts';
import { columnOf } from './list-places.ts';
import type { CursorCodec, ListCall, PageAsked, Places, Route } from '@engawa/http';
import type { CorrectionRoutesOptions } from './corrections.ts';

const operationId = 'listCorrections';
const params = z.strictObject({ id: deviceId });

/** Of CSV; the replacement readings are in the other forms. */
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
    question: ({ params }: CorrectionsCall) => questionOf(operationId, params),
    read: async (call: CorrectionsCall, { limit, after, budget }: PageAsked) => {
      const { params, places, signal } = call;
      budget.charge(1);
      await devices.get(params.id, signal);
      const isOwn = await correctableBy(options, params.id, { places, budget, signal });
      const from = parsePosition(z.string().optional(), after);
      const page = await corrections.list(params.id, { limit, after: from, signal });
      budget.charge(page.units);
      return { items: page.corrections.filter(isOwn).map(showCorrection), after: page.after };
    },
  };
  return route({
    method: 'get',
    path: '/v1/devices/{id}/corrections',
    operationId,
    summary: 'The corrections of the readings of a device, in the order of their ids',
    description:
      'Also those that were undone. Ids that begin with a time, such as ULIDs, are in its order.',
    tags: ['corrections'],
    params,
    query: z.strictObject(listQuery),
    answers: {
      200: {
        description: 'A page of them.',
        schema: z.strictObject({ items: z.array(shownCorrection), cursor: nextCursor }),
      },
    },
    problems: ['device-not-found'],
    keepsToPlaces: true,
    rows: {
      schema: shownCorrection,
      columns: () => columns.map(columnOf),
      each: (call) => readRows(listing, call),
    },
    handle: async (call) => {
      const { page, cursor } = await readPage(listing, call);
      return { status: 200, body: { items: [...page.items], cursor } };
    },
  });
}
