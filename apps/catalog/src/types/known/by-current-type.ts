import { byTypes } from './by-types.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { KnownTypes } from './known-types.ts';

/** What was given was checked by the type as it was before: nothing was written. */
export class TypeChanged extends Error {
  override readonly name = 'TypeChanged';
}

/** Changes of one type while a request waits. */
const maxAttempts = 10;

/**
 * Checks what is given by its type and writes it by the same: where the type changes in between, both once more. Otherwise an
 * attribute that was renamed meanwhile would be written under its former name, as part of what has the new one.
 * @throws Problem of the check, or of the write
 */
export async function byCurrentType<Checked, Result>(
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
  return untilTypesStay(async () => {
    const { checked, layout } = await byTypes(types, [name], (type) => {
      return { checked: check(type), layout: type.layout };
    });
    return write(checked, layout);
  });
}

/** Checks and writes again where a type changes in between. */
export async function untilTypesStay<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TypeChanged) || attempt === maxAttempts) throw error;
    }
  }
}

/** @throws TypeChanged where it is not the one that something was checked by */
export function checkLayout(type: EntityType, layout: number | undefined): void {
  if (layout !== undefined && layout !== type.layout) throw new TypeChanged();
}

/** The type of an entity that was read; where that was written by a later one than is known here, as it is in the table. */
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
