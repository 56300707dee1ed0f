import { Problem } from '@engawa/errors';
import { parseEntity } from '@engawa/model';
import { ConditionFailed, ItemRejected, maxTransactionWrites } from '@engawa/table';
import {
  WriteConflict,
  itemProblem,
  refuseTooLarge,
  TargetsRecreated,
} from '../entities/write/commit.ts';
import { transact } from '../entities/write/transact.ts';
import { notUnique } from '../entities/items/unique-values.ts';
import { mergePlans } from './merge-plans.ts';
import { prefixOperationPath } from './prefix-operation-path.ts';
import { prepareOperation, relationsToReadFor } from './prepare-operation.ts';
import type { EntityName } from '@engawa/keys';
import type { ItemCollection } from '../entities/read/item-collection.ts';
import type { ReadEntityOptions } from '../entities/read/read-entity.ts';
import type { TransactOptions } from '../entities/write/transact.ts';
import type { MergedPlans } from './merge-plans.ts';
import type { PrepareOptions } from './prepare-operation.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import type { TransactionOperation } from './transaction-operation.ts';

export interface WriteTogetherOptions extends PrepareOptions, TransactOptions {
  read: (name: EntityName, options: ReadEntityOptions) => Promise<ItemCollection>;
}

/**
 * Reads the entities of all operations, and writes them in one transaction: a Query per page of each, and one write.
 * @throws WriteConflict where one of them was changed meanwhile; Problem of an operation, with its path in the body
 */
export async function writeTogether(
  options: WriteTogetherOptions,
  operations: readonly TransactionOperation[],
): Promise<PreparedOperation[]> {
  const all = await Promise.all(
    operations.map(async (operation) => {
      const type = await options.types.get(operation.name.type);
      const before = await options.read(operation.name, {
        relations: relationsToReadFor(operation, type),
        expired: createsMissing(operation) ? 'replace' : 'hide',
      });
      return { operation, before };
    }),
  );
  const prepared = await Promise.all(
    all.map((one, index) =>
      prepareOperation(options, one, all).catch((error: unknown) => {
        throw prefixOperationPath(index, error);
      }),
    ),
  );
  if (prepared.every(({ plan }) => plan === undefined)) return prepared;
  const merged = mergePlans(prepared);
  refuseTooMany(merged);
  try {
    refuseTooLarge(merged.writes);
    await transact(options, merged.writes);
  } catch (error) {
    throw toProblem(error, merged);
  }
  return prepared;
}

function createsMissing(operation: TransactionOperation): boolean {
  return operation.kind === 'put' || (operation.kind === 'patch' && operation.upsert);
}

function refuseTooMany({ writes }: MergedPlans): void {
  const { length } = writes;
  if (length <= maxTransactionWrites) return;
  const message = `write ${length} items with their search rows and relations; a transaction can write at most ${maxTransactionWrites}`;
  const fieldErrors = [{ path: 'body.operations', message }];
  throw new Problem('transaction-too-large', `body.operations ${message}.`, {
    fieldErrors,
  });
}

function toProblem(error: unknown, { subjects, unique, uniqueFrom }: MergedPlans): unknown {
  if (error instanceof ItemRejected) return itemProblem(error);
  if (!(error instanceof ConditionFailed)) return error;
  const failed = error.failed.flatMap((place) => {
    const subject = subjects.get(place);
    const item = error.items.get(place);
    return subject === undefined ? [] : [{ subject, entity: item && parseEntity(item) }];
  });
  if (failed.some(({ subject }) => 'own' in subject)) return new WriteConflict();
  const taken = notUnique(error, unique, uniqueFrom);
  if (taken !== undefined) return taken;
  const fieldErrors = failed.flatMap(({ subject, entity }) => {
    if (!('target' in subject) || (entity !== undefined && entity.gone !== true)) return [];
    const { target, operations } = subject;
    const message = `lead to ${target.type} "${target.id}", which does not exist`;
    return operations.map((index) => ({ path: `body.operations[${index}].relations`, message }));
  });
  const [first] = fieldErrors;
  if (first === undefined)
    return new TargetsRecreated(failed.flatMap(({ entity }) => entity ?? []));
  return new Problem('related-entity-not-found', `${first.path} ${first.message}.`, {
    fieldErrors,
  });
}
