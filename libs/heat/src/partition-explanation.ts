import { hotFrom } from './hot-keys.ts';
import { adviseOnSum } from './advice.ts';
import { kindOf } from './partition-kind.ts';
import { throttlingScopes } from './partition.ts';
import type { PartitionKind } from './partition-kind.ts';
import type { ThrottlingScope } from './partition.ts';
import type { ReportedPartition } from './report.ts';

/** A key family in words (docs/reference/table.md). */
export interface KeyFamily {
  /** The form of its keys. */
  keys: string;
  description: string;
  /** The services that write it, in a sentence. */
  writtenBy: string;
  /** Whether more shards can share its load. */
  isSharded: boolean;
}

const family = (keys: string, description: string, writtenBy: string, isSharded = false) => ({
  keys,
  description,
  writtenBy,
  isSharded,
});

export const keyFamilies: Readonly<Record<PartitionKind, KeyFamily>> = {
  device: family(
    'DEVICE#…',
    'One device: its readings, rollups and corrections.',
    'ingestion (readings), query (rollups), registry',
    true,
  ),
  list: family(
    'LIST#… of gsi1',
    'A list sorted by name: devices, places, rooms, or the entities of one type.',
    'registry, catalog (entities), ingestion (new devices)',
    true,
  ),
  seen: family(
    'SEEN#DEVICE#… of gsi2',
    'The list of devices by the time when they were last seen.',
    'ingestion',
    true,
  ),
  attribute: family('A#… of gsi2', 'A search or ranking of one entity type.', 'catalog', true),
  text: family(
    'CHANGED#TEXT#… of gsi2',
    'The list of texts by the time of their last change; full-text indexes are built from it.',
    'catalog',
    true,
  ),
  expiry: family(
    'EXPIRES#E#… of gsi2',
    'The entities that expire, by their instant.',
    'catalog',
    true,
  ),
  relations: family('E#… of gsi1', 'The relations that lead to one entity.', 'catalog'),
  memberships: family(
    'DEVICE#… of gsi1',
    'The placement history of one device: its places and rooms.',
    'registry',
  ),
  entity: family('E#…', 'One entity, with its attributes, texts and relations.', 'catalog'),
  uniqueValue: family(
    'UNIQUE#…',
    'One value of a unique attribute of an entity type: which entity has it.',
    'catalog',
  ),
  place: family(
    'PLACE#…',
    'One place, with its rooms and the devices in it.',
    'registry, ingestion (last events)',
  ),
  room: family('ROOM#…', 'The devices that are or were in one room or place.', 'registry'),
  deadLetters: family('DLQ#…', 'The dead letters of one day.', 'ingestion'),
  parkedBlocks: family(
    'PARKED#…',
    "Readings of throttled devices, until they are moved to their device's key.",
    'ingestion',
  ),
  types: family('TYPE', 'The entity types.', 'catalog'),
  shardMap: family(
    'SHARDS',
    'The shard map: how many shards each family has.',
    'ingestion, registry, catalog',
  ),
  unknown: family(
    'others',
    'Internal records, such as sessions, deletions and tasks; or a key that Engawa does not know.',
    'any service',
  ),
};

/** A partition with its explanation in words. */
export interface ExplainedPartition extends ReportedPartition {
  description: string;
  writtenBy: string;
  /** How much the key is used, and why DynamoDB throttles it. */
  reason: string;
}

/**
 * Adds the explanation, and advice for a key that is hot only by the total of several processes, for which no process
 * gave any.
 */
export function explainPartition(partition: ReportedPartition): ExplainedPartition {
  const kind = knownKind(partition);
  const { description, writtenBy } = keyFamilies[kind];
  const { advice, utilization } = partition;
  const needsAdvice = advice.length === 0 && utilization >= hotFrom;
  return {
    ...partition,
    description,
    writtenBy,
    reason: reasonOf(partition),
    advice: needsAdvice ? adviseOnSum(partition, kind) : advice,
  };
}

/** The reported kind; for a process of an older version, which reports none, the kind in the key's name. */
function knownKind({ kind, ...named }: ReportedPartition): PartitionKind {
  return kind !== undefined && Object.hasOwn(keyFamilies, kind)
    ? (kind as PartitionKind)
    : kindOf(named);
}

const scopeReasons: Record<ThrottlingScope, string> = {
  key_range: 'because this key is over its limit',
  table: 'because the provisioned capacity is used up',
  account: 'because the quota of the account is used up',
  on_demand_maximum: 'because the on-demand maximum is reached',
  other: 'without a reason from DynamoDB',
};

function reasonOf(partition: ReportedPartition): string {
  const { unit, utilization, throttlesPerSecond, hotSince } = partition;
  const used = `uses ${percent(utilization)} of the ${unit} units that one partition can take`;
  const others = othersUtilization(partition);
  const sum = others > 0 ? [`${percent(utilization + others)} together with other processes`] : [];
  const throttles = throttlingScopes.flatMap((scope) => {
    const rate = throttlesPerSecond[scope] ?? 0;
    return rate > 0 ? [`throttled ${rate.toFixed(1)} times a second ${scopeReasons[scope]}`] : [];
  });
  const isCooling =
    hotSince !== undefined && utilization + others < hotFrom && throttles.length === 0;
  return [used, ...sum, ...throttles, ...(isCooling ? ['cooling down'] : [])].join('; ');
}

/** Other processes' use, as a share of the limit implied by this process's share. */
function othersUtilization(partition: ReportedPartition): number {
  const { unitsPerSecond, utilization, othersUnitsPerSecond = 0 } = partition;
  return unitsPerSecond === 0 ? 0 : (othersUnitsPerSecond * utilization) / unitsPerSecond;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
