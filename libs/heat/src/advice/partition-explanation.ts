import { isAdviceCode, adviceText } from './advice-texts.ts';
import { hotFrom } from '../reports/hot-keys.ts';
import { adviseOnSum } from './advice.ts';
import { keyFamilies } from '../keys/key-families.ts';
import { kindOf } from '../keys/partition-kind.ts';
import { reasonsOf, reasonText } from './partition-reason.ts';
import type { Advice } from './advice-texts.ts';
import type { PartitionKind } from '../keys/partition-kind.ts';
import type { Reason } from './partition-reason.ts';
import type { ReportedPartition, ReportedThrottling } from '../reports/report.ts';

/** A partition with its explanation in words, and in codes for clients that translate it. */
export interface ExplainedPartition extends ReportedPartition {
  kind: PartitionKind;
  description: string;
  writtenBy: string;
  /** How much the key is used, and why DynamoDB throttles it. */
  reason: string;
  reasonCodes: Reason[];
  /** Those of `advice`, in its order; null for a text without a code of this version. */
  adviceCodes: (Advice | null)[];
}

export interface ExplainedThrottling extends ReportedThrottling {
  adviceCode?: Advice;
}

/**
 * Adds the explanation, and advice for a key that is hot only by the total of several processes, for which no process
 * gave any.
 */
export function explainPartition(partition: ReportedPartition): ExplainedPartition {
  const kind = knownKind(partition);
  const { description, writtenBy } = keyFamilies[kind];
  const reasons = reasonsOf(partition);
  return {
    ...partition,
    kind,
    description,
    writtenBy,
    reason: reasonText(reasons),
    reasonCodes: reasons,
    ...adviceOf(partition, kind),
  };
}

/** Omits a code that this version lacks, since the contract lists all codes; the text stays. */
export function explainThrottling(throttling: ReportedThrottling): ExplainedThrottling {
  const { adviceCode, ...others } = throttling;
  const known = knownAdvice(adviceCode);
  return { ...others, ...(known && { adviceCode: known }) };
}

function adviceOf(
  partition: ReportedPartition,
  kind: PartitionKind,
): Pick<ExplainedPartition, 'advice' | 'adviceCodes'> {
  const { advice, adviceCodes = [], utilization } = partition;
  if (advice.length === 0 && utilization >= hotFrom) {
    const onSum = adviseOnSum(partition, kind);
    return { advice: onSum.map(adviceText), adviceCodes: onSum };
  }
  return { advice, adviceCodes: advice.map((_, at) => knownAdvice(adviceCodes[at]) ?? null) };
}

/** Undefined for a code of a newer version, and without a code. */
function knownAdvice(reported: ReportedThrottling['adviceCode'] | null): Advice | undefined {
  if (!reported) return undefined;
  const { code, values } = reported;
  return isAdviceCode(code) ? { code, values } : undefined;
}

/** The reported kind; for a process of an older version, which reports none, the kind in the key's name. */
function knownKind({ kind, ...named }: ReportedPartition): PartitionKind {
  return kind !== undefined && Object.hasOwn(keyFamilies, kind)
    ? (kind as PartitionKind)
    : kindOf(named);
}
