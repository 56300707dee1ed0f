import { maxShards } from '@engawa/keys';
import { hotFrom } from './hot-keys.ts';
import {
  growthIsOff,
  growthIsOn,
  growthIsOver,
  growthOfSum,
  hotInSum,
  onReads,
  onWrites,
} from './partition-advice.ts';
import { kindOf, shardedKindOf } from './partition-kind.ts';
import { throttlingAdvice } from './throttling-advice.ts';
import { throttlingScopes } from './partition.ts';
import { concernsKey, isHot, keyThrottles, sumUtilization } from './hotness-order.ts';
import type { PartitionKind } from './partition-kind.ts';
import type { PartitionHeat, ThrottlingCause, IndexUnit } from './partition.ts';

export interface PartitionFacts {
  heat: PartitionHeat;
  /** Current number of shards of its family; undefined without a family, or if unknown to this process. */
  shards: number | undefined;
  /** Whether the process adds shards automatically. */
  grows: boolean;
}

/** Advice for a hot key, most important first; empty for other keys. Names the index and the kind, never the key. */
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
    ...onOthers(heat),
    ...(unit === 'read' ? onReads[kindOf(heat)] : [...onWrites[kindOf(heat)], ...onGrowth(facts)]),
    ...others.map((scope) => throttlingAdvice[scope]({ index, unit })),
  ];
}

/** Advice for a key that is hot only by the total of several processes. */
export function adviseOnSum({ index, unit }: IndexUnit, kind: PartitionKind): string[] {
  const isSharded = unit === 'write' && Object.hasOwn(growthIsOver, kind);
  return [
    ...onIndex({ index, unit }),
    hotInSum,
    ...(unit === 'read' ? onReads[kind] : onWrites[kind]),
    ...(isSharded ? [growthOfSum] : []),
  ];
}

/** Advice for a throttling reason. */
export function adviseOnThrottling({ scope, index, unit }: IndexUnit & ThrottlingCause): string {
  return throttlingAdvice[scope]({ index, unit });
}

/** Points to the index: the key is not a key of the table. */
function onIndex({ index, unit }: IndexUnit): string[] {
  if (index === 'table') return [];
  const where = `This key belongs to the index ${index}, not to the table`;
  return unit === 'read'
    ? [`${where}: queries of the index are throttled, reads of the table are not.`]
    : [
        `${where}: while DynamoDB throttles it, writes to the table are throttled as well if the item has this key in the index.`,
      ];
}

function onBlame({ throttlesPerSecond, utilization }: PartitionHeat): string[] {
  const { key_range = 0, other = 0 } = throttlesPerSecond;
  if (other === 0 || key_range > 0 || utilization >= hotFrom) return [];
  return [
    'DynamoDB gave no reason for these throttles. This key is the most used of those in the throttled requests, so it is the likely cause.',
  ];
}

/** Explains a hot key whose share in this process is below the threshold. */
function onOthers(heat: PartitionHeat): string[] {
  const isHotAlone = heat.utilization >= hotFrom || keyThrottles(heat) > 0;
  return !isHotAlone && sumUtilization(heat) >= hotFrom ? [hotInSum] : [];
}

function onGrowth({ heat, shards, grows }: PartitionFacts): string[] {
  const kind = shardedKindOf(heat.index, heat.partition);
  if (kind === undefined) return [];
  if (shards !== undefined && shards >= maxShards) return [growthIsOver[kind]];
  return [grows ? growthIsOn(shards) : growthIsOff(shards)];
}
