import { Problem } from '@engawa/errors';
import { incomingRelations } from '../relations/incoming-relations.ts';
import { targetKey } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { KnownTypes, TypesMemory } from '../../types/known/known-types.ts';
import type { IncomingRelation } from '../relations/incoming-relations.ts';

/** Related entities that a Problem `still-related` names. */
const maxNamed = 20;

/**
 * Whether any type has a relation to this type. Before returning false, it refreshes the types: another replica may
 * have declared one.
 */
export async function isRelatedTo(types: KnownTypes & TypesMemory, type: string): Promise<boolean> {
  const isRelated = async () =>
    (await types.all()).some(({ relations }) => relations.some(({ to }) => to === type));
  if (await isRelated()) return true;
  await types.changed();
  return isRelated();
}

/** @param isIgnored entities deleted in the same transaction. @throws Problem `still-related` */
export async function refuseRelated(
  { table }: { table: Table },
  entity: Entity,
  isIgnored: (from: EntityName) => boolean = () => false,
): Promise<void> {
  const name = { type: entity.type, id: entity.id };
  // Its relations to itself are deleted with it; those to an earlier incarnation are already being removed.
  const isOther = ({ from, incarnation }: IncomingRelation) =>
    targetKey(from) !== targetKey(name) && incarnation === entity.incarnation && !isIgnored(from);
  const others: IncomingRelation[] = [];
  for await (const page of incomingRelations({ table }, name, { limit: maxNamed + 1 })) {
    others.push(...page.relations.filter(isOther));
    if (others.length > maxNamed) break;
  }
  if (others.length === 0) return;
  const count = others.length > maxNamed ? `More than ${maxNamed}` : String(others.length);
  const fieldErrors = others.slice(0, maxNamed).map(({ from, names }) => ({
    path: `${from.type}/${from.id}`,
    message: `relates to it as ${names.join(', ')}`,
  }));
  const entities = others.length === 1 ? 'entity has' : 'entities have';
  const detail = `${count} ${entities} relations to ${name.type} "${name.id}".`;
  throw new Problem('still-related', detail, { fieldErrors });
}
