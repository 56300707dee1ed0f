import { idOf } from './catalog-content.ts';
import type { CatalogContent, EntityInput } from './catalog-content.ts';

export interface OrderedEntities {
  /** Each after its targets. */
  entities: EntityInput[];
  /** Circular relations, to be added when all entities exist. */
  circular: Pick<EntityInput, 'type' | 'id' | 'relations'>[];
}

/** Sorts entities so that each is created after its targets. */
export function orderedEntities({ types, entities }: CatalogContent): OrderedEntities {
  const targetOf = new Map(
    types.flatMap(({ name, relations }) => relations.map((one) => [keyOf(name, one.name), one.to])),
  );
  const left = new Map(entities.map((entity) => [keyOf(entity.type, entity.id), entity]));
  const ordered: OrderedEntities = { entities: [], circular: [] };
  const made = new Set<string>();
  while (left.size > 0) {
    const isReady = (entity: EntityInput) =>
      targets(entity, targetOf).every(({ key }) => made.has(key) || !left.has(key));
    const ready = [...left].filter(([, entity]) => isReady(entity));
    // A cycle is broken at its first entity.
    const next = ready.length > 0 ? ready : [...left].slice(0, 1);
    for (const [key, entity] of next) {
      ordered.entities.push(ready.length > 0 ? entity : { ...entity, relations: {} });
      if (ready.length === 0) ordered.circular.push(entity);
      made.add(key);
      left.delete(key);
    }
  }
  return ordered;
}

function targets({ type, relations }: EntityInput, targetOf: ReadonlyMap<string, string>) {
  return Object.entries(relations).flatMap(([name, to]) =>
    [to].flat().map((target) => ({ key: keyOf(targetOf.get(keyOf(type, name)), idOf(target)) })),
  );
}

function keyOf(type: string | undefined, id: string): string {
  return JSON.stringify([type, id]);
}
