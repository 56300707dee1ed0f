import {
  adviceCodes,
  keyNamings,
  partitionKinds,
  reasonCodes,
  throttlingScopes,
} from '@engawa/heat';
import { z } from 'zod';
import type { ThrottlingScope } from '@engawa/heat';
import type { PeerQuestion } from './fetch-peer-report.ts';

/** Maximum number of partition keys in a report. */
export const maxPartitions = 100;

/** An upper bound far above real figures, so that sums of many processes stay finite. */
export const amount = z.number().min(0).max(1e15);

/** A text; the maximum is longer than any text of our own processes. */
export const text = (maxLength: number) => z.string().max(maxLength);

const side = {
  index: text(255).describe('`table`, or the name of the index that is hot.'),
  unit: z.enum(['read', 'write']).describe('Whether the figures are of reads or writes.'),
};

const perScope = z
  .object(
    Object.fromEntries(throttlingScopes.map((scope) => [scope, amount.optional()])) as Record<
      ThrottlingScope,
      z.ZodOptional<typeof amount>
    >,
  )
  .describe(
    'Throttled items and requests a second, by exceeded limit; limits without throttles are omitted. `key_range`: this key; `table`: the provisioned capacity of the table or index; `account`: a quota of the account; `on_demand_maximum`: a setting of the table or index; `other`: DynamoDB gave no reason.',
  );

const adviceValues = z
  .object({
    index: text(255).optional(),
    unit: z.enum(['read', 'write']).optional(),
    shards: z.int().min(1).max(1024).optional(),
    maxShards: z.int().min(1).max(1024).optional(),
  })
  .describe('The parameters of the text, as far as its code needs them.');

/** An advice of a peer: a newer version has further codes. */
const reportedAdvice = z.object({ code: text(64), values: adviceValues });

const advice = z
  .object({ code: z.enum(adviceCodes), values: adviceValues })
  .describe('The advice for programs, such as translations; the text is its English form.')
  .meta({ id: 'AdviceCode' });

const reason = z
  .object({
    code: z.enum(reasonCodes),
    values: z.object({
      unit: z.enum(['read', 'write']).optional(),
      share: amount.optional().describe('Of the units that one partition can take, such as 0.7.'),
      scope: z.enum(throttlingScopes).optional(),
      perSecond: amount.optional().describe('Throttles a second.'),
    }),
  })
  .meta({ id: 'ReasonCode' });

const partitionFields = {
  ...side,
  partition: text(8192).describe(
    'The partition key: in full, with hashed ids, or its family only, according to `keys`.',
  ),
  kind: text(64)
    .optional()
    .describe('Kind of the key, such as `device`; absent in reports of older versions.'),
  family: text(8192)
    .optional()
    .describe(
      'Family of the key, such as `LIST#DEVICE`; absent where the key cannot be split into shards.',
    ),
  shards: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe(
      'Current number of shards of the family; absent where this process does not know it.',
    ),
  unitsPerSecond: amount.describe('Consumed capacity units a second; an upper estimate.'),
  uncertainty: amount.describe('Units a second by which `unitsPerSecond` may be too high.'),
  utilization: amount.describe(
    '`unitsPerSecond` as a share of the limit of a partition (`limits`): at 1 the partition is at its limit.',
  ),
  throttlesPerSecond: perScope,
  othersUnitsPerSecond: amount
    .optional()
    .describe(
      'Capacity units a second that other processes use of the same key, according to their latest reports; absent without such reports, and in a merged report, which adds up all processes.',
    ),
  hotSince: z.iso
    .datetime()
    .max(40)
    .optional()
    .describe('Time since which the key is hot; absent while it is not.'),
  advice: z
    .array(text(2000))
    .max(32)
    .describe('Recommended actions, the most important first; empty where none is needed.'),
};

/**
 * A partition in the reports between processes; older versions do not send explanations and codes. Codes in another
 * form are ignored: the texts are enough.
 */
const partition = z.object({
  ...partitionFields,
  adviceCodes: z.array(reportedAdvice.nullable()).max(32).optional().catch(undefined),
});

const explainedPartition = z
  .object({
    ...partitionFields,
    kind: z.enum(partitionKinds).optional().describe('Kind of the key, such as `device`.'),
    adviceCodes: z
      .array(advice.nullable())
      .max(32)
      .optional()
      .describe(
        'The codes of `advice`, in its order; null for a text that another version wrote, without a code or with one that this version lacks. Absent in responses of older versions.',
      ),
    description: text(2000).describe('Description of the items under the key.'),
    writtenBy: text(255).describe('The services that write items with this key.'),
    reason: text(2000).describe('How much the key is used, and why it is throttled.'),
    reasonCodes: z
      .array(reason)
      .optional()
      .describe('The parts of `reason`; absent in responses of older versions.'),
  })
  .meta({ id: 'HotPartition' });

const throttlingFields = {
  ...side,
  scope: z.enum(throttlingScopes).describe('The exceeded limit; see `throttlesPerSecond`.'),
  reason: text(255).describe(
    'DynamoDB’s throttling reason, such as `TableWriteKeyRangeThroughputExceeded`; `unknown` where it gave none.',
  ),
  perSecond: amount.describe('Throttles a second, of all keys.'),
  advice: text(2000).describe('Recommended action for this reason.'),
};

const throttling = z.object({
  ...throttlingFields,
  adviceCode: reportedAdvice.optional().catch(undefined),
});

const explainedThrottling = z
  .object({
    ...throttlingFields,
    adviceCode: advice
      .optional()
      .describe('The code of `advice`; absent where another version wrote the text.'),
  })
  .meta({ id: 'Throttling' });

const partitionsOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .max(maxPartitions)
    .describe('Hot keys first, throttled ones before the others; then by `utilization`.');

const reportFields = {
  windowSeconds: amount.describe('Length of the time window of the figures, in seconds.'),
  limits: z
    .object({ read: amount, write: amount })
    .describe('Maximum capacity units a second of one partition.'),
  keys: z
    .enum(keyNamings)
    .describe('How partition keys are named (HOT_PARTITION_KEYS): in full, hashed, or hidden.'),
};

const restrictedToPlaces = z
  .boolean()
  .describe(
    'Whether the token is restricted to places, so that the report has only the keys of these places.',
  );

const throttlingOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item).max(1000).describe('All throttling reasons, the most frequent first.');

export const processId = text(64).describe('Random id of the process, created at its start.');

/** The report of one process. Unknown fields are ignored, since peers may run another version during an update. */
export const processReport = z.object({
  process: processId,
  ...reportFields,
  throttling: throttlingOf(throttling),
  partitions: partitionsOf(partition),
});

/** The report of one process in a response of the API, with explanations. */
export const explainedReport = z.object({
  process: processId,
  ...reportFields,
  restrictedToPlaces,
  throttling: throttlingOf(explainedThrottling),
  partitions: partitionsOf(explainedPartition),
});

const where = {
  url: text(2048)
    .optional()
    .describe(
      'URL in HOT_PARTITION_PEERS; absent for the process that sends this response, and for tokens that are restricted to places.',
    ),
  address: text(64).optional().describe('The address of the process, one of those of the URL.'),
};

/** The processes that a report was requested from. */
export const polledProcesses = z
  .array(
    z.discriminatedUnion('answered', [
      z.object({ ...where, answered: z.literal(true), process: processId }),
      z.object({
        ...where,
        answered: z.literal(false),
        why: z.string().describe('Why the process has no report.'),
      }),
    ]),
  )
  .describe(
    'All processes that a report was requested from. A process with several addresses counts once.',
  );

/** The merged report of all processes that responded, and the list of all processes. */
export const mergedReport = z.object({
  ...reportFields,
  restrictedToPlaces,
  throttling: throttlingOf(explainedThrottling),
  partitions: partitionsOf(explainedPartition),
  processes: polledProcesses,
});

export type ProcessReport = z.output<typeof processReport>;
export type PolledProcess = z.output<typeof polledProcesses>[number];

/** The request for the reports of the peers; a report of a hundred keys has a tenth of the size. */
export const reportQuestion: PeerQuestion<ProcessReport> = {
  path: '/v1/hot-partitions',
  parameters: { limit: String(maxPartitions) },
  schema: processReport,
  maxBytes: 1_000_000,
};
