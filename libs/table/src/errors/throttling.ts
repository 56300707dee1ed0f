import type { Side, ThrottlingCause, ThrottlingScope, Unit } from '@engawa/heat';

/** What a throttled attempt ran into (`unknown` if DynamoDB does not say), and where: an index, read or written. */
export interface Throttling extends Side, ThrottlingCause {}

/** Endings of the sixteen reasons, {Table,Index} × {Read,Write} × these (API reference, "ThrottlingReason"). */
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

/** Codes of a cancelled transaction's actions (API reference, "TransactionCanceledException"); all others are no throttles. */
const throttledCodes: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
]);

interface SdkReason {
  reason?: string;
  resource?: string;
}

/** The exceptions spell it in two ways: ThrottlingException has the lower case. */
interface SdkThrottling {
  ThrottlingReasons?: SdkReason[];
  throttlingReasons?: SdkReason[];
}

/** Why an attempt was throttled, each reason once; `asked` is what the request reads or writes, as far as it names it. */
export function throttlingsOf(error: unknown, asked: Side): Throttling[] {
  const { ThrottlingReasons, throttlingReasons } = error as SdkThrottling;
  const reasons = ThrottlingReasons ?? throttlingReasons ?? [];
  const { index, unit } = asked;
  const unknown: Throttling = { index, unit, reason: 'unknown', scope: 'other' };
  if (reasons.length === 0) return [unknown];
  const throttlings = reasons.map(({ reason = '', resource = '' }): Throttling => {
    const known = knownReasons.get(reason);
    const where = indexOf(resource) ?? index;
    return known ? { index: where, reason, ...known } : { ...unknown, index: where };
  });
  return [...new Map(throttlings.map((one) => [`${one.index} ${one.reason}`, one])).values()];
}

/** Whether a throttled request ran into a limit of the table or the account: a request for any other key would, too. */
export function isTableWide(error: unknown): boolean {
  if ((error as { name?: string }).name === 'RequestLimitExceeded') return true;
  const throttlings = throttlingsOf(error, { index: 'table', unit: 'write' });
  return throttlings.every(({ scope }) => scope !== 'key_range' && scope !== 'other');
}

/** From `arn:aws:dynamodb:eu-west-1:123456789012:table/engawa/index/gsi1`. */
function indexOf(resource: string): string | undefined {
  return resource === '' ? undefined : (/\/index\/([\w.-]+)$/.exec(resource)?.[1] ?? 'table');
}

/** An action of a cancelled transaction that was throttled. */
export interface ThrottledAction {
  /** Which one, counted from 0. */
  action: number;
  code: string;
  /** Whether DynamoDB says that it was an index that it wrote to. */
  inIndex: boolean;
}

interface SdkCancellation {
  CancellationReasons?: { Code?: string; Message?: string }[];
}

/** None of a transaction that was not cancelled, or not for that. */
export function throttledActions(error: unknown): ThrottledAction[] {
  const { CancellationReasons = [] } = error as SdkCancellation;
  return CancellationReasons.flatMap(({ Code = '', Message = '' }, action) => {
    const inIndex = Message.includes('global secondary index');
    return throttledCodes.has(Code) ? [{ action, code: Code, inIndex }] : [];
  });
}
