import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { parseKey } from '@engawa/keys';
import type { ParsedKey } from '@engawa/keys';

type TableItem = Record<string, unknown>;

export interface TableRow {
  key: ParsedKey;
  item: TableItem;
}

/** Every item of the table. */
export async function readTable(endpoint: string, tableName: string): Promise<TableRow[]> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint, region: 'local', credentials }),
  );
  const rows: TableRow[] = [];
  const pages = paginateScan({ client }, { TableName: tableName, ConsistentRead: true });
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const key = parseKey({ pk: String(item['pk']), sk: String(item['sk']) });
      rows.push({ key, item });
    }
  }
  client.destroy();
  return rows;
}

/**
 * Whether no write is incomplete. A deletion ends two minutes later, when indexes certainly show
 * all relations to the entity; for `most` one look at the index is enough.
 */
export function isSettled(rows: readonly TableRow[], what: 'all' | 'most'): boolean {
  return rows.every(({ key, item }) => {
    if (key.item === 'catalogTask') return what === 'most' && item['looked'] === true;
    if (key.item === 'entity') return !('settles' in item) && !('staging' in item);
    return key.item !== 'relation' || !('staged' in (item['data'] as TableItem));
  });
}

/** @returns the inconsistencies: rows without an entity, and relations without a target */
export function auditRows(rows: readonly TableRow[], searches: ReadonlySet<string>): string[] {
  const there = new Set<string>();
  const beingDeleted = new Set<string>();
  for (const { key, item } of rows) {
    if (key.item === 'entity' && item['gone'] !== true) there.add(nameOf(key.type, key.id));
    if (key.item !== 'catalogTask') continue;
    const [type = '', id = ''] = key.segments;
    beingDeleted.add(nameOf(type, id));
  }
  return rows.flatMap(({ key, item }) => {
    if (!('type' in key && 'id' in key)) return [];
    const owner = nameOf(key.type, key.id);
    const hasTexts = key.item === 'textRow' && 'texts' in item;
    const isPart = key.item === 'relation' || key.item === 'attributeRow' || hasTexts;
    if (isPart && !there.has(owner)) return [`a ${key.item} of ${owner}, which is not there`];
    if (key.item === 'attributeRow' && !searches.has(`${key.type}/${key.search}`)) {
      return [`a row of ${owner} for ${key.search}, which is no search`];
    }
    if (key.item !== 'relation') return [];
    const target = nameOf(key.otherType, key.otherId);
    if (there.has(target) || beingDeleted.has(target)) return [];
    return [`${owner} relates to ${target}, which is not there`];
  });
}

const nameOf = (type: string, id: string): string => `${type}/${id}`;
