import { retryOnConflict } from '@engawa/table';
import { withKnownTypes } from './with-known-types.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { KnownTypes } from './known-types.ts';

/** The request was validated against an earlier declaration of the type: nothing was written. */
export class TypeChanged extends Error {
  override readonly name = 'TypeChanged';
}

/**
 * Validates a request against its type and writes it under the same declaration; if the type changes in between, does
 * both again. Otherwise an attribute that was renamed meanwhile would be written under its old name.
 * @throws Problem of the check, or of the write; `too-many-conflicts` while the type changes again and again
 */
export async function withCurrentType<Checked, Result>(
  types: KnownTypes,
  name: string,
  {
    check,
    write,
  }: {
    check: (type: EntityType) => Checked;
    write: (checked: Checked, layout: number) => Promise<Result>;
  },
): Promise<Result> {
  return retryOnTypeChange([name], async () => {
    const { checked, layout } = await withKnownTypes(types, [name], (type) => {
      return { checked: check(type), layout: type.layout };
    });
    return write(checked, layout);
  });
}

/** Runs the work again where one of these types changes in between. @throws Problem `too-many-conflicts` */
export function retryOnTypeChange<Result>(
  names: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const resource = names.map((name) => `the type ${JSON.stringify(name)}`).join(' or ');
  const isConflict = (error: unknown) => error instanceof TypeChanged;
  return retryOnConflict({ resource, isConflict }, work);
}

/** @throws TypeChanged where the type has another layout */
export function checkLayout(type: EntityType, layout: number | undefined): void {
  if (layout !== undefined && layout !== type.layout) throw new TypeChanged();
}

/** The type of an entity; read from the table if the entity has a later layout than the cached type. */
export async function typeOf(
  types: KnownTypes,
  name: Pick<EntityName, 'type'>,
  entity: Entity | undefined,
): Promise<EntityType> {
  const known = await types.get(name.type);
  if (entity === undefined || entity.layout <= known.layout) return known;
  await types.refresh();
  return types.get(name.type);
}
