import { parseKey } from '@engawa/keys';
import { isExpiringTombstone } from './left-behind.ts';
import type { ParsedKey } from '@engawa/keys';
import type { Item } from '../table/attribute.ts';
import type { System } from '../world/system.ts';

/** The expected things at the end, by the actors' models. */
export interface Known {
  /** Ids of devices that have sent something; people have deleted theirs, and their places. */
  devices: ReadonlySet<string>;
  /** Whether the catalog has a type of that name. */
  isType: (name: string) => boolean;
}

/** Milliseconds within which what was begun by chance has come to its end, and between two looks. */
const settled = { withinMs: 600_000, everyMs: 20_000 };
/** Of what is wrong, so many are named. */
const mostNamed = 5;

/** Every item of the table has to belong to something that is there, or be of a kind that is known and bounded. */
export async function violationsOfTable(
  { table, gateway, world }: System,
  known: Known,
): Promise<string[]> {
  const end = world.now() + settled.withinMs;
  for (;;) {
    const violations = strangers([...table.items()], known);
    if (violations.length === 0 || world.now() > end) return violations.slice(0, mostNamed);
    await gateway.sleep(settled.everyMs);
  }
}

/** @returns items that belong to nothing, in words */
export function strangers(items: readonly Item[], known: Known): string[] {
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
    key !== undefined && isKnown(key, item) ? [] : [`nothing has ${textOf(item)}`],
  );
}

/**
 * Kinds of which there are few, or that expire; tasks, purge jobs and parked blocks are not among
 * them: they come to their end.
 */
const bounded: ReadonlySet<ParsedKey['item']> = new Set([
  'entityType',
  'entityTypesMark',
  'shardMap',
  'session',
  'deadLetter',
  'deadLettersSpread',
] as const);
const mortal: ReadonlySet<ParsedKey['item']> = new Set(['deadLetter', 'deadLettersSpread']);

type OfDevice = Extract<ParsedKey, { item: 'device' | 'block' | 'rollup' | 'correction' }>;

const isOfDevice = (key: ParsedKey): key is OfDevice =>
  ['device', 'block', 'rollup', 'correction'].includes(key.item);

/** For a day it says to replicas that keep a full-text index that the entity is gone. */
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

const textOf = ({ pk, sk }: Item) => `the item ${pk?.S ?? ''} ${sk?.S ?? ''}`;
