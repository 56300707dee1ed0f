import { hotFrom } from './hot-keys.ts';
import { adviseOnSum } from './advice.ts';
import { kindOf } from './partition-kind.ts';
import { throttlingScopes } from './partition.ts';
import type { PartitionKind } from './partition-kind.ts';
import type { ThrottlingScope } from './partition.ts';
import type { ReportedPartition } from './report.ts';

/** A key family in words (docs/reference/table.md). */
export interface KeyFamily {
  /** What its keys look like. */
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
    'A list that is sorted by name: of devices, places, rooms, or entities of one type.',
    'registry, catalog (entities), ingestion (new devices)',
    true,
  ),
  seen: family(
    'SEEN#DEVICE#… of gsi2',
    'The list of devices by when they were last seen.',
    'ingestion',
    true,
  ),
  attribute: family('A#… of gsi2', 'A search or ranking of one entity type.', 'catalog', true),
  text: family(
    'CHANGED#TEXT#… of gsi2',
    'The list of texts by when they changed, from which full-text indexes are made.',
    'catalog',
    true,
  ),
  relations: family('E#… of gsi1', 'The relations that lead back to one entity.', 'catalog'),
  memberships: family(
    'DEVICE#… of gsi1',
    'The places and rooms where one device has been.',
    'registry',
  ),
  entity: family('E#…', 'One entity, with its attributes, texts and relations.', 'catalog'),
  place: family(
    'PLACE#…',
    'One place, with its rooms and the devices in it.',
    'registry, ingestion (last events)',
  ),
  room: family('ROOM#…', 'The devices that one room or place has had.', 'registry'),
  deadLetters: family('DLQ#…', 'The dead letters of one day.', 'ingestion'),
  types: family('TYPE', 'The entity types.', 'catalog'),
  shardMap: family(
    'SHARDS',
    'The shard map: how many shards each family has.',
    'ingestion, registry, catalog',
  ),
  unknown: family(
    'others',
    'Bookkeeping, such as sessions, erasures and tasks; or a key that is none of Engawa’s.',
    'any service',
  ),
};

/** A partition as people are told of it, in words. */
export interface ExplainedPartition extends ReportedPartition {
  description: string;
  writtenBy: string;
  /** Why it is hot, or that it is not. */
  reason: string;
}

/** In words; with advice also where no process alone has any, since the key is hot only in the sum of them. */
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

/** Of the process that knows the key; of an older one that does not tell, by the name, which tells less where it is hidden. */
function knownKind({ kind, ...named }: ReportedPartition): PartitionKind {
  return kind !== undefined && Object.hasOwn(keyFamilies, kind)
    ? (kind as PartitionKind)
    : kindOf(named);
}

const scopeReasons: Record<ThrottlingScope, string> = {
  key_range: 'throttled because of this key',
  table: 'throttled because of the provisioned capacity',
  account: 'throttled because of the account’s quota',
  on_demand_maximum: 'throttled because of the on-demand maximum',
  other: 'throttled without a reason',
};

function reasonOf({ unit, utilization, throttlesPerSecond, hotSince }: ReportedPartition): string {
  const used = `uses ${Math.round(utilization * 100)} % of the ${unit} units that one partition takes`;
  const throttles = throttlingScopes.flatMap((scope) => {
    const rate = throttlesPerSecond[scope] ?? 0;
    return rate > 0 ? [`${scopeReasons[scope]} ${rate.toFixed(1)} times a second`] : [];
  });
  const isCooling = hotSince !== undefined && utilization < hotFrom && throttles.length === 0;
  return [used, ...throttles, ...(isCooling ? ['cooling down'] : [])].join('; ');
}
