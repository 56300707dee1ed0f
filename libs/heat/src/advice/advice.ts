import { maxShards } from '@engawa/keys';
import { hotFrom } from '../reports/hot-keys.ts';
import { growthIsOver, onReads, onWrites } from './partition-advice.ts';
import { kindOf, shardedKindOf } from '../keys/partition-kind.ts';
import { throttlingCode } from './throttling-advice.ts';
import { throttlingScopes } from '../keys/partition.ts';
import {
  concernsKey,
  isHot,
  isThrottledBelowLimit,
  keyThrottles,
  sumUtilization,
} from '../reports/hotness-order.ts';
import type { Advice, AdviceCode } from './advice-texts.ts';
import type { PartitionKind } from '../keys/partition-kind.ts';
import type { PartitionHeat, ThrottlingCause, IndexUnit } from '../keys/partition.ts';

export interface PartitionFacts {
  heat: PartitionHeat;
  /** Current number of shards of its family; undefined without a family, or if unknown to this process. */
  shards: number | undefined;
  /** Whether the process adds shards automatically. */
  grows: boolean;
}

/** Advice for a hot key, most important first; empty for other keys. Names the index and the kind, never the key. */
export function adviseOnPartition(facts: PartitionFacts): Advice[] {
  const { heat } = facts;
  if (isThrottledBelowLimit(heat)) return onOtherCause(heat);
  if (!isHot(heat) && heat.utilization < hotFrom) return [];
  const { index, unit, throttlesPerSecond } = heat;
  const others = throttlingScopes.filter(
    (scope) => !concernsKey(scope) && throttlesPerSecond[scope],
  );
  const onUse = (unit === 'read' ? onReads : onWrites)[kindOf(heat)];
  return [
    ...onIndex(heat),
    ...withoutValues([...onBlame(heat), ...onOthers(heat), ...onUse]),
    ...(unit === 'read' ? [] : onGrowth(facts)),
    ...others.map((scope) => onThrottling(scope, { index, unit })),
  ];
}

/** Advice for a key that DynamoDB throttles for another cause than its use. */
function onOtherCause({ index, unit }: IndexUnit): Advice[] {
  return [{ code: 'throttled-below-limit', values: { index, unit } }];
}

/** Advice for a key that is hot only by the total of several processes. */
export function adviseOnSum({ index, unit }: IndexUnit, kind: PartitionKind): Advice[] {
  const isSharded = unit === 'write' && Object.hasOwn(growthIsOver, kind);
  const onUse = (unit === 'read' ? onReads : onWrites)[kind];
  return [
    ...onIndex({ index, unit }),
    ...withoutValues(['hot-in-total', ...onUse]),
    ...withoutValues(isSharded ? ['shards-are-added-in-total'] : []),
  ];
}

/** Advice for a throttling reason. */
export function adviseOnThrottling({ scope, index, unit }: IndexUnit & ThrottlingCause): Advice {
  return onThrottling(scope, { index, unit });
}

function onThrottling(scope: ThrottlingCause['scope'], { index, unit }: IndexUnit): Advice {
  return { code: throttlingCode(scope, { index, unit }), values: { index, unit } };
}

function withoutValues(codes: readonly AdviceCode[]): Advice[] {
  return codes.map((code) => ({ code, values: {} }));
}

/** Points to the index: the key is not a key of the table. */
function onIndex({ index, unit }: IndexUnit): Advice[] {
  if (index === 'table') return [];
  return [{ code: unit === 'read' ? 'reads-of-index' : 'writes-of-index', values: { index } }];
}

function onBlame({ throttlesPerSecond, utilization }: PartitionHeat): AdviceCode[] {
  const { key_range = 0, other = 0 } = throttlesPerSecond;
  return other === 0 || key_range > 0 || utilization >= hotFrom ? [] : ['likely-cause'];
}

/** Explains a hot key whose share in this process is below the threshold. */
function onOthers(heat: PartitionHeat): AdviceCode[] {
  const isHotAlone = heat.utilization >= hotFrom || keyThrottles(heat) > 0;
  return !isHotAlone && sumUtilization(heat) >= hotFrom ? ['hot-in-total'] : [];
}

function onGrowth({ heat, shards, grows }: PartitionFacts): Advice[] {
  const kind = shardedKindOf(heat.index, heat.partition);
  if (kind === undefined) return [];
  if (shards !== undefined && shards >= maxShards) {
    return [{ code: growthIsOver[kind], values: { maxShards } }];
  }
  const code = grows ? 'shards-are-added' : 'turn-on-shard-growth';
  return [{ code, values: { ...(shards !== undefined && { shards }), maxShards } }];
}
