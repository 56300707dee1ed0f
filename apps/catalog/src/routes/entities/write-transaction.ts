import { invariant } from '@engawa/errors';
import { entityTag, revisionOfBody, route } from '@engawa/http';
import { entityId, entityTypeName } from '@engawa/model';
import { maxTransactionWrites } from '@engawa/table';
import { z } from 'zod';
import { checkChanges } from '../../entities/content/check-changes.ts';
import {
  checkContent,
  attributesInput,
  relationsInput,
} from '../../entities/content/check-content.ts';
import { showEntity, entityOutput } from '../../entities/read/entity-schemas.ts';
import { prefixOperationPath } from '../../transactions/prefix-operation-path.ts';
import { maxOperations } from '../../transactions/transaction-operation.ts';
import { retryOnTypeChange } from '../../types/known/with-current-type.ts';
import { withKnownTypes } from '../../types/known/with-known-types.ts';
import {
  changedAttributes,
  changedRelations,
  changesInside,
  conditionsInput,
  upsertText,
} from './patch-entity.ts';
import { serviceProperties } from '../../entities/content/service-properties.ts';
import type { Route } from '@engawa/http';
import type { EntityType } from '@engawa/model';
import type { CatalogParts } from '../../catalog-parts.ts';
import type { PreparedOperation } from '../../transactions/prepared-operation.ts';
import type { TransactionOperation } from '../../transactions/transaction-operation.ts';

const name = { type: entityTypeName, id: entityId };
const ifMatch = revisionOfBody.describe(
  'The ETag that the client read: nothing is written if the entity has another one now.',
);

const operation = z.discriminatedUnion('operation', [
  z
    .strictObject({
      operation: z.literal('put'),
      ...name,
      attributes: attributesInput.optional(),
      relations: relationsInput.optional(),
      ...serviceProperties,
      ifMatch,
      ifNoneMatch: z.literal('*').optional().describe('Only if the entity does not exist yet.'),
    })
    .refine(
      ({ ifMatch, ifNoneMatch }) => ifMatch === undefined || ifNoneMatch === undefined,
      'must not have both ifMatch and ifNoneMatch, which exclude each other',
    ),
  z
    .strictObject({
      operation: z.literal('patch'),
      ...name,
      attributes: changedAttributes.optional(),
      inside: changesInside.optional(),
      relations: changedRelations.optional(),
      conditions: conditionsInput.optional(),
      ifMatch,
      upsert: z.boolean().default(false).describe(upsertText),
    })
    .refine(
      ({ ifMatch, upsert }) => ifMatch === undefined || !upsert,
      'must not have both ifMatch and upsert, which exclude each other',
    ),
  z.strictObject({
    operation: z.literal('delete'),
    ...name,
    detach: z
      .boolean()
      .default(false)
      .describe(
        'Whether to delete the entity despite relations of entities outside this transaction, and remove these relations.',
      ),
    conditions: conditionsInput.optional(),
    ifMatch,
  }),
  z.strictObject({
    operation: z.literal('check'),
    ...name,
    conditions: conditionsInput.optional(),
    ifMatch,
  }),
]);

type OperationInput = z.output<typeof operation>;

const description = [
  'All operations are applied atomically, or none. Each is of a different entity, and does the same as the request of that',
  'name; `check` writes nothing, and fails the transaction if the entity does not exist or does not meet its conditions.',
  'Relations may lead to entities that the same transaction creates, and related entities may be deleted together.',
  '',
  `Together with their search rows and relations, the operations may write ${maxTransactionWrites} items of the table (400 \`transaction-too-large\`).`,
  'A client that retries after a lost response gives `ifMatch` or `ifNoneMatch` in one operation, so that the transaction is',
  'applied only once.',
].join('\n');

const written = z.strictObject({
  type: z.string(),
  id: z.string(),
  etag: z.string().optional().describe('The new ETag; absent for a deleted entity.'),
  entity: entityOutput.optional().describe('Present for `put` and `patch`.'),
});

type Options = Pick<CatalogParts, 'types' | 'transactions'>;

export const writeTransaction = ({ types, transactions }: Options): Route =>
  route({
    method: 'post',
    path: '/v1/transactions',
    operationId: 'writeTransaction',
    summary: 'Change several entities, all of them or none',
    description,
    tags: ['entities'],
    body: z.strictObject({ operations: z.array(operation).min(1).max(maxOperations) }),
    exactNumbers: true,
    responses: {
      200: {
        description: 'The results, in the order of the operations.',
        schema: z.strictObject({ items: z.array(written) }),
      },
    },
    problems: [
      'type-not-found',
      'type-changing',
      'entity-not-found',
      'already-exists',
      'version-mismatch',
      'condition-failed',
      'related-entity-not-found',
      'not-unique',
      'still-related',
      'transaction-too-large',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ body: { operations } }) => {
      const names = [...new Set(operations.map(({ type }) => type))] as [string, ...string[]];
      await refuseUnknownTypes(types, operations);
      const prepared = await retryOnTypeChange(names, async () => {
        const parsed = await withKnownTypes(types, names, (...known) =>
          parseOperations(operations, known),
        );
        return transactions.write(parsed);
      });
      return { status: 200, body: { items: prepared.map((one, at) => show(one, operations[at])) } };
    },
  });

/** @throws Problem `type-not-found` for the first operation whose type is unknown */
async function refuseUnknownTypes(
  types: Options['types'],
  operations: readonly OperationInput[],
): Promise<void> {
  for (const [index, { type }] of operations.entries()) {
    await types.get(type).catch((error: unknown) => {
      throw prefixOperationPath(index, error);
    });
  }
}

/** @throws Problem `invalid-request` for the first invalid operation */
function parseOperations(
  operations: readonly OperationInput[],
  known: readonly EntityType[],
): TransactionOperation[] {
  const types = new Map(known.map((type) => [type.name, type]));
  return operations.map((given, index) => {
    const type = invariant(types.get(given.type), 'the types of all operations are known');
    try {
      return { ...parseOperation(given, type), layout: type.layout };
    } catch (error) {
      throw prefixOperationPath(index, error);
    }
  });
}

function parseOperation(given: OperationInput, type: EntityType): TransactionOperation {
  const name = { type: given.type, id: given.id };
  switch (given.operation) {
    case 'put': {
      const { ifMatch, ifNoneMatch } = given;
      const expected = ifNoneMatch === undefined ? ifMatch : 'absent';
      return { kind: 'put', name, content: checkContent(type, given), expected };
    }
    case 'patch':
      return {
        kind: 'patch',
        name,
        changes: checkChanges(type, given),
        revision: given.ifMatch,
        upsert: given.upsert,
      };
    case 'delete': {
      const { detach, ifMatch: revision } = given;
      const { conditions } = checkChanges(type, { conditions: given.conditions });
      return { kind: 'delete', name, detach, conditions, revision };
    }
    case 'check': {
      const { conditions } = checkChanges(type, { conditions: given.conditions });
      return { kind: 'check', name, conditions, revision: given.ifMatch };
    }
  }
}

function show({ name, after }: PreparedOperation, given: OperationInput | undefined) {
  if (after === undefined) return name;
  const isShown = given?.operation !== 'check';
  return { ...name, etag: entityTag(after), ...(isShown && { entity: showEntity(after) }) };
}
