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
import { ofOperation } from './of-operation.ts';
import { prepare, relationsOfStep } from './prepare.ts';
import type { EntityName } from '@engawa/keys';
import type { ItemCollection } from '../entities/read/item-collection.ts';
import type { ReadEntityOptions } from '../entities/read/read-entity.ts';
import type { TransactOptions } from '../entities/write/transact.ts';
import type { MergedPlans } from './merge-plans.ts';
import type { PrepareOptions } from './prepare.ts';
import type { Prepared } from './prepared.ts';
import type { Step } from './step.ts';

export interface WriteTogetherOptions extends PrepareOptions, TransactOptions {
  read: (name: EntityName, options: ReadEntityOptions) => Promise<ItemCollection>;
}

/**
 * Reads the entities of all steps, and writes them in one transaction: a Query per page of each, and one write.
 * @throws WriteConflict where one of them was changed meanwhile; Problem of a step, with its path in the body
 */
export async function writeTogether(
  options: WriteTogetherOptions,
  steps: readonly Step[],
): Promise<Prepared[]> {
  const all = await Promise.all(
    steps.map(async (step) => {
      const type = await options.types.get(step.name.type);
      const before = await options.read(step.name, {
        relations: relationsOfStep(step, type),
        expired: step.operation === 'put' ? 'replace' : 'hide',
      });
      return { step, before };
    }),
  );
  const prepared = await Promise.all(
    all.map((one, index) =>
      prepare(options, one, all).catch((error: unknown) => {
        throw ofOperation(index, error);
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

function refuseTooMany({ writes }: MergedPlans): void {
  const { length } = writes;
  if (length <= maxTransactionWrites) return;
  const message = `write ${length} items with their search rows and relations; a transaction can write at most ${maxTransactionWrites}`;
  const faults = [{ path: 'body.operations', message }];
  throw new Problem('transaction-too-large', `body.operations ${message}.`, {
    fieldErrors: faults,
  });
}

function toProblem(
  error: unknown,
  { subjects: meanings, unique, uniqueFrom }: MergedPlans,
): unknown {
  if (error instanceof ItemRejected) return itemProblem(error);
  if (!(error instanceof ConditionFailed)) return error;
  const failed = error.failed.flatMap((place) => {
    const meaning = meanings.get(place);
    const item = error.items.get(place);
    return meaning === undefined ? [] : [{ meaning, there: item && parseEntity(item) }];
  });
  if (failed.some(({ meaning }) => 'own' in meaning)) return new WriteConflict();
  const taken = notUnique(error, unique, uniqueFrom);
  if (taken !== undefined) return taken;
  const faults = failed.flatMap(({ meaning, there }) => {
    if (!('target' in meaning) || (there !== undefined && there.gone !== true)) return [];
    const { target, steps } = meaning;
    const message = `lead to ${target.type} "${target.id}", which does not exist`;
    return steps.map((index) => ({ path: `body.operations[${index}].relations`, message }));
  });
  const [first] = faults;
  if (first === undefined) return new TargetsRecreated(failed.flatMap(({ there }) => there ?? []));
  return new Problem('related-entity-not-found', `${first.path} ${first.message}.`, {
    fieldErrors: faults,
  });
}
