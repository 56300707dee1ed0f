/** What a throttled attempt ran into, and where. */
export interface Throttling {
  /** The table itself or one of its indexes. */
  index: string;
  /** DynamoDB's word for it, or `unknown`. */
  reason: string;
  scope: ThrottlingScope;
}

export type ThrottlingScope = 'key_range' | 'table' | 'account' | 'on_demand_maximum' | 'other';

/** Endings of the sixteen reasons, {Table,Index} × {Read,Write} × these (API reference, "ThrottlingReason"). */
const scopes: readonly (readonly [string, ThrottlingScope])[] = [
  ['KeyRangeThroughputExceeded', 'key_range'],
  ['ProvisionedThroughputExceeded', 'table'],
  ['AccountLimitExceeded', 'account'],
  ['MaxOnDemandThroughputExceeded', 'on_demand_maximum'],
];

const knownReasons = new Map(
  ['TableRead', 'TableWrite', 'IndexRead', 'IndexWrite'].flatMap((what) =>
    scopes.map(([ending, scope]) => [what + ending, scope] as const),
  ),
);

interface SdkReason {
  reason?: string;
  resource?: string;
}

/** The exceptions spell it in two ways: ThrottlingException has the lower case. */
interface SdkThrottling {
  ThrottlingReasons?: SdkReason[];
  throttlingReasons?: SdkReason[];
}

/** Why an attempt was throttled, each reason once; `asked` is the index that the request named. */
export function throttlingsOf(error: unknown, asked: string): Throttling[] {
  const { ThrottlingReasons, throttlingReasons } = error as SdkThrottling;
  const reasons = ThrottlingReasons ?? throttlingReasons ?? [];
  if (reasons.length === 0) return [{ index: asked, reason: 'unknown', scope: 'other' }];
  const throttlings = reasons.map(({ reason = '', resource = '' }) => {
    const scope = knownReasons.get(reason);
    const index = indexOf(resource) ?? asked;
    return scope ? { index, reason, scope } : { index, reason: 'unknown', scope: 'other' as const };
  });
  return [...new Map(throttlings.map((one) => [`${one.index} ${one.reason}`, one])).values()];
}

/** From `arn:aws:dynamodb:eu-west-1:123456789012:table/engawa/index/gsi1`. */
function indexOf(resource: string): string | undefined {
  return resource === '' ? undefined : (/\/index\/([\w.-]+)$/.exec(resource)?.[1] ?? 'table');
}
