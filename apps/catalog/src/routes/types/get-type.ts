import { entityTag, route } from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { readLeftOut } from '../../queries/left-out-entities.ts';
import { typeWithBuildOutput, showType } from './type-output.ts';
import type { Route } from '@engawa/http';
import type { Table } from '@engawa/table';
import type { TypeStore } from '../../types/type-store.ts';

export const getType = ({ table, typeStore }: { table: Table; typeStore: TypeStore }): Route =>
  route({
    method: 'get',
    path: '/v1/types/{type}',
    operationId: 'getType',
    summary: 'Get a type',
    tags: ['types'],
    params: z.strictObject({ type: entityTypeName }),
    hasEntityTag: true,
    responses: {
      200: {
        description:
          'The type and the progress of its build. Its ETag consists of its version and a hash of the response.',
        schema: typeWithBuildOutput,
      },
    },
    problems: ['type-not-found'],
    handle: async ({ params, signal }) => {
      const { type, build } = await typeStore.get(params.type, signal);
      const leftOut = await readLeftOut(table, type.name, signal);
      const shown = build && {
        build: {
          done: build.progress.done,
          since: new Date(build.changedAt),
          refused: build.progress.refused,
        },
      };
      return {
        status: 200,
        headers: { ETag: entityTag(type) },
        body: { ...showType(type), ...shown, ...leftOut },
      };
    },
  });
