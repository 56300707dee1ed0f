import { parseKey } from '@engawa/keys';
import { isExpiringTombstone } from './remaining-items.ts';
import type { ParsedKey } from '@engawa/keys';
import type { Item } from '@engawa/dynamodb-simulator/rules';
import type { System } from '../world/system.ts';

/** The devices and types that exist at the end of a run, according to the actors' models. */
export interface ExpectedTable {
  /** Ids of devices that have sent messages; people have deleted their own devices and places. */
  devices: ReadonlySet<string>;
  /** Whether the catalog has a type of that name. */
  isType: (name: string) => boolean;
}

/** Maximum wait for the end of pending work, and the interval between two checks, in milliseconds. */
const settled = { withinMs: 600_000, everyMs: 20_000 };
/** Maximum number of listed violations. */
const maxNamed = 5;

/** Checks that each item of the table belongs to an existing resource, or is of a known and bounded kind. */
export async function violationsOfTable(
  { table, gateway, world }: System,
  known: ExpectedTable,
): Promise<string[]> {
  const end = world.now() + settled.withinMs;
  for (;;) {
    const violations = orphanedItems([...table.items()], known);
    if (violations.length === 0 || world.now() > end) return violations.slice(0, maxNamed);
    await gateway.sleep(settled.everyMs);
  }
}

/** @returns a description of each orphaned item */
export function orphanedItems(items: readonly Item[], known: ExpectedTable): string[] {
  const rows = items.map((item) => ({ item, key: keyOf(item) }));
  const devices = new Set<string>();
  const entities = new Set<string>();
  for (const { key, item } of rows) {
    if (key?.item === 'device' && item['version'] !== undefined) devices.add(key.device);
    if (key?.item === 'entity' && item['gone']?.BOOL !== true) entities.add(nameOf(key));
  }
  const isKnown = (key: ParsedKey, item: Item): boolean => {
    if (isOfDevice(key)) {
      if (key.item === 'device' && isExpiringTombstone(item)) return true;
      return known.devices.has(key.device) && devices.has(key.device);
    }
    if ('type' in key && !known.isType(key.type)) return false;
    if ('type' in key && 'id' in key) return entities.has(nameOf(key)) || isFadingText(key, item);
    if (key.item === 'uniqueValue') {
      return entities.has(nameOf({ type: key.type, id: item['owner']?.S ?? '' }));
    }
    return bounded.has(key.item) && (!mortal.has(key.item) || item['ttl'] !== undefined);
  };
  return rows.flatMap(({ key, item }) =>
    key !== undefined && isKnown(key, item) ? [] : [`orphaned item: ${textOf(item)}`],
  );
}

/**
 * Kinds of items with a bounded number, or with an expiry. Tasks, purge jobs and parked blocks are
 * not listed, since none may remain.
 */
const bounded: ReadonlySet<ParsedKey['item']> = new Set([
  'entityType',
  'entityTypesMark',
  'shardMap',
  'session',
  'deadLetter',
  'deadLettersSpread',
  'deadLetterDelivery',
] as const);
const mortal: ReadonlySet<ParsedKey['item']> = new Set([
  'deadLetter',
  'deadLettersSpread',
  'deadLetterDelivery',
]);

type OfDevice = Extract<
  ParsedKey,
  { item: 'device' | 'block' | 'rollup' | 'correction' | 'correctionRow' }
>;

const isOfDevice = (key: ParsedKey): key is OfDevice =>
  ['device', 'block', 'rollup', 'correction', 'correctionRow'].includes(key.item);

/** For a day, a text row without texts tells replicas with a full-text index that the entity was deleted. */
const isFadingText = ({ item: kind }: ParsedKey, item: Item) =>
  kind === 'textRow' && item['texts'] === undefined && item['ttl'] !== undefined;

const nameOf = ({ type, id }: { type: string; id: string }) => `${type}/${id}`;

function keyOf({ pk, sk }: Item): ParsedKey | undefined {
  try {
    return parseKey({ pk: pk?.S ?? '', sk: sk?.S ?? '' });
  } catch {
    return undefined;
  }
}

const textOf = ({ pk, sk }: Item) => `${pk?.S ?? ''} ${sk?.S ?? ''}`;
