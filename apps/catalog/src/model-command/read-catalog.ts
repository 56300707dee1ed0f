import { idOf } from './catalog-content.ts';
import { omitProperties } from './omit-properties.ts';
import type { CatalogClient } from '../load-command/catalog-client.ts';
import type {
  CatalogContent,
  DeclaredType,
  EntityInput,
  RelationTargetInput,
} from './catalog-content.ts';

interface Page<Item> {
  items: Item[];
  cursor?: string;
}

type TypeResponse = DeclaredType & { createdAt: string; changedAt: string; version: number };
type EntityResponse = EntityInput & { createdAt: string; updatedAt: string; version: number };

/** All types of a catalog, and up to `sample` entities of each, with the relations between these. */
export async function readCatalog(client: CatalogClient, sample: number): Promise<CatalogContent> {
  const types = await readAll<TypeResponse>(client, '/v1/types', Infinity);
  const entities: EntityInput[] = [];
  for (const { name } of types) {
    const path = `/v1/entities/${encodeURIComponent(name)}?whole=true`;
    entities.push(...(await readAll<EntityResponse>(client, path, sample)).map(toEntityInput));
  }
  return { types: types.map(declaredType), entities: withinSample(types, entities) };
}

async function readAll<Item>(
  client: CatalogClient,
  path: string,
  maxItems: number,
): Promise<Item[]> {
  const items: Item[] = [];
  const mark = path.includes('?') ? '&' : '?';
  let cursor: string | undefined;
  do {
    const given = cursor === undefined ? '' : `${mark}cursor=${encodeURIComponent(cursor)}`;
    const page = (await client.request(path + given)) as Page<Item>;
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined && items.length < maxItems);
  return items.slice(0, maxItems);
}

/** The declaration only, without build states. */
function declaredType(type: TypeResponse): DeclaredType {
  const declared = omitProperties(
    type,
    'createdAt',
    'changedAt',
    'version',
    'build',
    'leftOut',
    'unindexed',
    'unconverted',
  );
  const plain = <Search extends object>(search: Search) =>
    omitProperties(search, 'state') as Search;
  return {
    ...declared,
    searches: type.searches.map(plain),
    rankings: type.rankings.map(plain),
    filters: (type.filters ?? []).map(plain),
  };
}

function toEntityInput({ type, id, attributes, relations }: EntityResponse): EntityInput {
  return { type, id, attributes, relations };
}

/** Without relations to entities outside of the sample. */
function withinSample(
  types: readonly DeclaredType[],
  entities: readonly EntityInput[],
): EntityInput[] {
  const key = (type: string | undefined, id: string) => JSON.stringify([type, id]);
  const sampleKeys = new Set(entities.map(({ type, id }) => key(type, id)));
  const targets = new Map(
    types.flatMap(({ name, relations }) =>
      relations.map((relation) => [key(name, relation.name), relation.to]),
    ),
  );
  return entities.map((entity) => {
    const kept = Object.entries(entity.relations).flatMap(
      ([name, to]): [string, string | RelationTargetInput[]][] => {
        const type = targets.get(key(entity.type, name));
        const isInSample = (target: RelationTargetInput) => sampleKeys.has(key(type, idOf(target)));
        if (typeof to === 'string') return isInSample(to) ? [[name, to]] : [];
        const ids = to.filter(isInSample);
        return ids.length === 0 ? [] : [[name, ids]];
      },
    );
    return { ...entity, relations: Object.fromEntries(kept) };
  });
}
