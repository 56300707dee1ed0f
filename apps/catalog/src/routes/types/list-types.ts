import { nextCursor, pageQuery, parsePosition, cursorContext, readPage, route } from '@engawa/http';
import { entityTypeKey } from '@engawa/keys';
import { z } from 'zod';
import { typeOutput, showType } from './type-output.ts';
import type { CursorCodec, ListCall, ListSource, Route } from '@engawa/http';
import type { TypeStore } from '../../types/type-store.ts';

export interface ListTypesOptions {
  typeStore: TypeStore;
  cursors: CursorCodec;
}

const answer = z.strictObject({ items: z.array(typeOutput), cursor: nextCursor });

export const listTypes = ({ typeStore, cursors }: ListTypesOptions): Route => {
  const listing = {
    cursors,
    cursorContext: () => cursorContext('listTypes', {}),
    read: async ({ signal }, { limit, after, budget }) => {
      const from = parsePosition(z.string().min(1).optional(), after);
      const page = await typeStore.list({ limit, after: from, budget, signal });
      const positions = page.types.map(({ name }) => entityTypeKey(name).sk);
      return { items: page.types.map(showType), positions, after: page.after };
    },
  } satisfies ListSource<ListCall & { signal: AbortSignal }>;
  return route({
    method: 'get',
    path: '/v1/types',
    operationId: 'listTypes',
    summary: 'List the types, sorted by name',
    tags: ['types'],
    query: z.strictObject(pageQuery),
    responses: { 200: { description: 'A page of types.', schema: answer } },
    handle: async (call) => {
      const { items, cursor } = await readPage(listing, call);
      return { status: 200, body: { items, cursor } };
    },
  });
};
