import type { IndexUnit, ThrottlingCause, ThrottlingScope, Unit } from '@engawa/heat';

/** The reason why an attempt was throttled (`unknown` if DynamoDB reports none), the index, and read or write. */
export interface Throttling extends IndexUnit, ThrottlingCause {}

/** Endings of the sixteen reasons: {Table,Index} × {Read,Write} × these (API reference, "ThrottlingReason"). */
const scopes: readonly (readonly [string, ThrottlingScope])[] = [
  ['KeyRangeThroughputExceeded', 'key_range'],
  ['ProvisionedThroughputExceeded', 'table'],
  ['AccountLimitExceeded', 'account'],
  ['MaxOnDemandThroughputExceeded', 'on_demand_maximum'],
];

const uses: readonly (readonly [string, Unit])[] = [
  ['TableRead', 'read'],
  ['TableWrite', 'write'],
  ['IndexRead', 'read'],
  ['IndexWrite', 'write'],
];

const knownReasons = new Map(
  uses.flatMap(([use, unit]) =>
    scopes.map(([ending, scope]) => [use + ending, { unit, scope }] as const),
  ),
);

/** Cancellation codes that mean throttling (API reference, "TransactionCanceledException"). */
const throttledCodes: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
]);

interface SdkReason {
  reason?: string;
  resource?: string;
}

/** The exceptions spell the property in two ways: ThrottlingException in lower case. */
interface SdkThrottling {
  ThrottlingReasons?: SdkReason[];
  throttlingReasons?: SdkReason[];
}

/**
 * The reasons why an attempt was throttled, each once.
 * @param requested index and unit of the request, where DynamoDB reports none
 */
export function throttlingsOf(error: unknown, requested: IndexUnit): Throttling[] {
  const { ThrottlingReasons, throttlingReasons } = error as SdkThrottling;
  const reasons = ThrottlingReasons ?? throttlingReasons ?? [];
  const { index, unit } = requested;
  const scope = mayConcernKey(error as Error) ? 'other' : 'account';
  const unknown: Throttling = { index, unit, reason: 'unknown', scope };
  if (reasons.length === 0) return [unknown];
  const throttlings = reasons.map(({ reason = '', resource = '' }): Throttling => {
    const known = knownReasons.get(reason);
    const where = indexOf(resource) ?? index;
    return known ? { index: where, reason, ...known } : { ...unknown, index: where };
  });
  return [...new Map(throttlings.map((one) => [`${one.index} ${one.reason}`, one])).values()];
}

/** Errors by which DynamoDB throttles a request, also for its partition key. */
const namesOfKeys: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceeded',
  'ProvisionedThroughputExceededException',
  'Throttling',
  'ThrottlingError',
  'ThrottlingException',
]);

/** Otherwise a quota of the account, or a proxy that limits the rate of requests, throttles the request. */
function mayConcernKey({ name }: { name?: string }): boolean {
  return name === undefined || namesOfKeys.has(name);
}

/**
 * Whether a limit of the table or the account throttled the request, so that requests for other
 * keys are throttled as well.
 */
export function isTableWide(error: unknown): boolean {
  if (!mayConcernKey(error as Error)) return true;
  const throttlings = throttlingsOf(error, { index: 'table', unit: 'write' });
  return throttlings.every(({ scope }) => scope !== 'key_range' && scope !== 'other');
}

/** Parses `arn:aws:dynamodb:eu-west-1:123456789012:table/engawa/index/gsi1`. */
function indexOf(resource: string): string | undefined {
  return resource === '' ? undefined : (/\/index\/([\w.-]+)$/.exec(resource)?.[1] ?? 'table');
}

/** A throttled action of a cancelled transaction. */
export interface ThrottledAction {
  /** Its position in the transaction, from 0. */
  action: number;
  code: string;
  /** Whether DynamoDB reports an index as throttled. */
  inIndex: boolean;
}

interface SdkCancellation {
  CancellationReasons?: { Code?: string; Message?: string }[];
}

/** Empty unless a transaction was cancelled for throttling. */
export function throttledActions(error: unknown): ThrottledAction[] {
  const { CancellationReasons = [] } = error as SdkCancellation;
  return CancellationReasons.flatMap(({ Code = '', Message = '' }, action) => {
    const inIndex = Message.includes('global secondary index');
    return throttledCodes.has(Code) ? [{ action, code: Code, inIndex }] : [];
  });
}
