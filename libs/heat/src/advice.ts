import { maximumShards } from '@engawa/keys';
import { hotFrom } from './hot-keys.ts';
import {
  growthIsOff,
  growthIsOn,
  growthIsOver,
  growthOfSum,
  onReads,
  onWrites,
} from './partition-advice.ts';
import { kindOf, shardedKindOf } from './partition-kind.ts';
import { throttlingAdvice } from './throttling-advice.ts';
import { throttlingScopes } from './partition.ts';
import { concernsKey, isHot } from './warmth.ts';
import type { PartitionKind } from './partition-kind.ts';
import type { PartitionHeat, ThrottlingCause, Side } from './partition.ts';

export interface PartitionFacts {
  heat: PartitionHeat;
  /** How many shards its family has now; undefined where it has no family, or nobody here knows. */
  shards: number | undefined;
  /** Whether the process makes more shards by itself. */
  grows: boolean;
}

/** What to do about a hot key, most important first; empty where it is not hot. Names no key: only its index and its kind. */
export function adviseOnPartition(facts: PartitionFacts): string[] {
  const { heat } = facts;
  if (!isHot(heat) && heat.utilization < hotFrom) return [];
  const { index, unit, throttlesPerSecond } = heat;
  const others = throttlingScopes.filter(
    (scope) => !concernsKey(scope) && throttlesPerSecond[scope],
  );
  return [
    ...onIndex(heat),
    ...onBlame(heat),
    ...(unit === 'read' ? onReads[kindOf(heat)] : [...onWrites[kindOf(heat)], ...onGrowth(facts)]),
    ...others.map((scope) => throttlingAdvice[scope]({ index, unit })),
  ];
}

/** What to do about a key that is hot by what several processes send together, though in none of them alone. */
export function adviseOnSum({ index, unit }: Side, kind: PartitionKind): string[] {
  const isSharded = unit === 'write' && Object.hasOwn(growthIsOver, kind);
  return [
    ...onIndex({ index, unit }),
    'It is hot only by what several processes send together.',
    ...(unit === 'read' ? onReads[kind] : onWrites[kind]),
    ...(isSharded ? [growthOfSum] : []),
  ];
}

/** What to do about throttling for a reason. */
export function adviseOnThrottling({ scope, index, unit }: Side & ThrottlingCause): string {
  return throttlingAdvice[scope]({ index, unit });
}

/** Whoever looks at the table's keys for a key of an index does not find it. */
function onIndex({ index, unit }: Side): string[] {
  if (index === 'table') return [];
  const hot = `The hot key is one of the index ${index}, not of the table`;
  return unit === 'read'
    ? [`${hot}: questions to that index are slowed down, the table itself is not.`]
    : [
        `${hot}: while it is throttled, writes to the table that belong under it are turned away as well.`,
      ];
}

function onBlame({ throttlesPerSecond, utilization }: PartitionHeat): string[] {
  const { key_range = 0, other = 0 } = throttlesPerSecond;
  if (other === 0 || key_range > 0 || utilization >= hotFrom) return [];
  return [
    'DynamoDB gave no reason for what it turned away: this key is the hottest of those that it may have been.',
  ];
}

function onGrowth({ heat, shards, grows }: PartitionFacts): string[] {
  const kind = shardedKindOf(heat.index, heat.partition);
  if (kind === undefined) return [];
  if (shards !== undefined && shards >= maximumShards) return [growthIsOver[kind]];
  return [grows ? growthIsOn(shards) : growthIsOff(shards)];
}
