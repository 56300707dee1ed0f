import { entityTypeItem, parseAttributeRow, uniqueValueItem } from '@engawa/model';
import { fixedShards, marshal } from '@engawa/table';
import { uniqueChanges } from '../entities/items/unique-values.ts';
import { attributeRows, ownItem, relationRows } from '../entities/items/entity-items.ts';
import type {
  AttributeValue,
  Document,
  Entity,
  EntityType,
  JsonValue,
  LinkAttributes,
  SetMember,
} from '@engawa/model';
import { idOf } from './catalog-content.ts';
import type {
  CatalogContent,
  DeclaredType,
  EntityInput,
  RelationTargetInput,
} from './catalog-content.ts';
import type { TaggedItem } from './workbench-format.ts';

/** The rows of one kind. */
export interface RowsOf {
  /** Name of their facet. */
  name: string;
  rows: TaggedItem[];
}

const shards = fixedShards(1);
/** Times in the rows; fixed, so that exports are reproducible. */
const at = Date.UTC(2026, 0, 1);

/** All rows of the content in the table: types, entities, relations, searches, rankings and unique values. */
export function tableRows({ types, entities }: CatalogContent): RowsOf[] {
  const known = new Map(types.map((type) => [type.name, asStored(type)]));
  const typeRows = {
    name: 'types',
    rows: [...known.values()].map((type) => tagged(entityTypeItem(type))),
  };
  const entityRows = [...known.values()].flatMap((type) =>
    rowsOfType(
      type,
      entities.filter((entity) => entity.type === type.name),
    ),
  );
  return [typeRows, ...entityRows];
}

/** The layout of a type that has just been declared. */
function asStored(type: DeclaredType): EntityType {
  const [own] = type.rankings;
  return {
    ...type,
    searches: type.searches.map((search) => ({ ...search, layout: 1 })),
    rankings: type.rankings.map((ranking) => ({ ...ranking, layout: 1 })),
    filters: (type.filters ?? []).map((filter) => ({ ...filter, layout: 1 })),
    ownRanking: own?.name,
    version: 1,
    layout: 1,
    built: 1,
    createdAt: at,
    changedAt: at,
  };
}

function rowsOfType(type: EntityType, given: readonly EntityInput[]): RowsOf[] {
  const entities = given.map((entity) => storedEntity(type, entity));
  const found = Map.groupBy(
    entities.flatMap((entity) => attributeRows(type, entity, shards, ignore)),
    (row) => parseAttributeRow(row).search,
  );
  const relations = given.flatMap((entity) => {
    const targets = Object.entries(entity.relations).map(
      ([name, to]) => [name, [to].flat()] as const,
    );
    const ids = new Map(targets.map(([name, ids]) => [name, ids.map(idOf)]));
    const links = targets.flatMap(([name, all]) => all.map((target) => ({ name, target })));
    const from = { type: type.name, id: entity.id };
    return relationRows(from, type, ids, { at, attributesOf: (id) => linksTo(id, links) });
  });
  return [
    { name: type.name, rows: entities.map((entity) => ownItem(type, entity, shards, ignore)) },
    { name: `relations of ${type.name}`, rows: relations },
    {
      name: `unique values of ${type.name}`,
      rows: entities.flatMap((entity) =>
        uniqueChanges(type, undefined, entity).map(uniqueValueItem),
      ),
    },
    ...[...found].map(([search, rows]) => ({ name: `${type.name} ${search}`, rows })),
  ].map(({ name, rows }) => ({ name, rows: rows.map(tagged) }));
}

/** The attributes of the relations to one target. */
function linksTo(
  id: string,
  links: readonly { name: string; target: RelationTargetInput }[],
): LinkAttributes | undefined {
  const attributes = links.flatMap(({ name, target }) =>
    typeof target === 'string' || target.id !== id || target.attributes === undefined
      ? []
      : [[name, new Map(Object.entries(target.attributes))] as const],
  );
  return attributes.length === 0 ? undefined : new Map(attributes);
}

/** Values that cannot be searched have no row, like in the table. */
const ignore = (): void => undefined;

function storedEntity(type: EntityType, { id, attributes, relations }: EntityInput): Entity {
  const toOne = Object.entries(relations).flatMap(([name, to]) =>
    typeof to === 'string' ? [[name, to] as const] : [],
  );
  return {
    type: type.name,
    id,
    attributes: new Map(
      Object.entries(attributes).map(([name, value]) => [name, storedValue(type, name, value)]),
    ),
    one: new Map(toOne),
    createdAt: at,
    updatedAt: at,
    version: 1,
    layout: 1,
    writeId: '',
  };
}

function storedValue({ attributes }: EntityType, name: string, value: JsonValue): AttributeValue {
  const isSet = attributes.some((one) => one.name === name && one.kind === 'set');
  return isSet ? new Set(value as SetMember[]) : value;
}

function tagged(row: Document): TaggedItem {
  return marshal(row) as unknown as TaggedItem;
}
