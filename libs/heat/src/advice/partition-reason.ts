import { hotFrom } from '../reports/hot-keys.ts';
import { isThrottledBelowLimit } from '../reports/hotness-order.ts';
import { throttlingScopes } from '../keys/partition.ts';
import type { ThrottlingScope, Unit } from '../keys/partition.ts';
import type { ReportedPartition } from '../reports/report.ts';

export const reasonCodes = [
  'used',
  'used-in-total',
  'throttled',
  'below-limit',
  'cooling-down',
] as const;

/** How much a key is used, or why DynamoDB throttles it; the text is that of `reasonText`, in English. */
export interface Reason {
  code: (typeof reasonCodes)[number];
  values: {
    unit?: Unit;
    /** Of the units that one partition can take, such as 0.7. */
    share?: number;
    scope?: ThrottlingScope;
    perSecond?: number;
  };
}

/** The first reason is the use; all of them are true at the same time. */
export function reasonsOf(partition: ReportedPartition): Reason[] {
  const { unit, utilization, throttlesPerSecond, hotSince } = partition;
  const others = othersUtilization(partition);
  const throttles = throttlingScopes.flatMap((scope): Reason[] => {
    const perSecond = throttlesPerSecond[scope] ?? 0;
    return perSecond > 0 ? [{ code: 'throttled', values: { scope, perSecond } }] : [];
  });
  const isCooling =
    hotSince !== undefined && utilization + others < hotFrom && throttles.length === 0;
  const inTotal = { ...partition, utilization: utilization + others };
  const total: Reason = { code: 'used-in-total', values: { unit, share: utilization + others } };
  return [
    { code: 'used', values: { unit, share: utilization } },
    ...(others > 0 ? [total] : []),
    ...throttles,
    ...(isThrottledBelowLimit(inTotal) ? [{ code: 'below-limit', values: {} } as const] : []),
    ...(isCooling ? [{ code: 'cooling-down', values: {} } as const] : []),
  ];
}

/** All reasons in one text. */
export function reasonText(reasons: readonly Reason[]): string {
  return reasons.map(({ code, values }) => texts[code](values)).join('; ');
}

const texts: Record<Reason['code'], (values: Reason['values']) => string> = {
  used: ({ unit, share }) =>
    `uses ${percent(share)} of the ${unit} units that one partition can take`,
  'used-in-total': ({ share }) => `${percent(share)} together with other processes`,
  throttled: ({ scope = 'other', perSecond = 0 }) =>
    `throttled ${perSecond.toFixed(1)} times a second ${scopeReasons[scope]}`,
  'below-limit': () => 'far below its limit, so not because of its own use',
  'cooling-down': () => 'cooling down',
};

const scopeReasons: Record<ThrottlingScope, string> = {
  key_range: 'because a partition with this key is over its limit',
  table: 'because the provisioned capacity is used up',
  account: 'because the quota of the account is used up',
  on_demand_maximum: 'because the on-demand maximum is reached',
  other: 'without a reason from DynamoDB',
};

/** Other processes' use, as a share of the limit implied by this process's share. */
function othersUtilization(partition: ReportedPartition): number {
  const { unitsPerSecond, utilization, othersUnitsPerSecond = 0 } = partition;
  return unitsPerSecond === 0 ? 0 : (othersUnitsPerSecond * utilization) / unitsPerSecond;
}

function percent(share = 0): string {
  return `${Math.round(share * 100)} %`;
}
