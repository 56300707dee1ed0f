import { keyNamings, throttlingScopes } from '@engawa/heat';
import { z } from 'zod';
import type { ThrottlingScope } from '@engawa/heat';

/** Partition keys that a report tells of at most. */
export const maxPartitions = 100;

/** Far more than anybody can use: figures of many processes still add up to a number. */
const amount = z.number().min(0).max(1e15);

/** Longer than anything that a process of ours says. */
const text = (longest: number) => z.string().max(longest);

const side = {
  index: text(255).describe('`table`, or the name of the index: the part that is hot.'),
  unit: z.enum(['read', 'write']).describe('Whether reads or writes are counted.'),
};

const perScope = z
  .object(
    Object.fromEntries(throttlingScopes.map((scope) => [scope, amount.optional()])) as Record<
      ThrottlingScope,
      z.ZodOptional<typeof amount>
    >,
  )
  .describe(
    'Items and questions a second that came back throttled, by what they ran into; those that there were none of are left out. `key_range` is this key, `table` what the table or index is provisioned for, `account` a quota of the account, `on_demand_maximum` a setting of the table or index, `other` what DynamoDB gave no reason for.',
  );

const partitionFields = {
  ...side,
  partition: text(8192).describe(
    'The partition key, as it is, with hashes in place of ids, or by its family alone: `keys` says which.',
  ),
  kind: text(64)
    .optional()
    .describe('What it is a key of, such as `device`; absent where an older version told.'),
  family: text(8192)
    .optional()
    .describe(
      'What it is one of several keys of, such as `LIST#DEVICE`; absent where it cannot be spread.',
    ),
  shards: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe('How many keys that family has now; absent where this process does not know.'),
  unitsPerSecond: amount.describe('Capacity units consumed a second; never too few.'),
  uncertainty: amount.describe('Units a second by which `unitsPerSecond` may be too many.'),
  utilization: amount.describe(
    '`unitsPerSecond` as a share of what one partition takes (`limits`): at 1 there is no more to be had.',
  ),
  throttlesPerSecond: perScope,
  othersUnitsPerSecond: amount
    .optional()
    .describe(
      'Capacity units a second that other processes use of the same key, as they told this one lately; absent where none has told, and in a merged report, which adds up all of them.',
    ),
  hotSince: z.iso
    .datetime()
    .max(40)
    .optional()
    .describe('Since when it is hot; absent while it is not.'),
  advice: z
    .array(text(2000))
    .max(32)
    .describe('What to do, the most important first; empty where nothing has to be done.'),
};

/** As processes tell each other: those of an older version explain nothing. */
const partition = z.object(partitionFields);

const explainedPartition = z
  .object({
    ...partitionFields,
    description: text(2000).describe('What it is a key of, in words.'),
    writtenBy: text(255).describe('The services that write under this key.'),
    reason: text(2000).describe('How much it is used and why it is throttled, in words.'),
  })
  .meta({ id: 'HotPartition' });

const throttling = z
  .object({
    ...side,
    scope: z.enum(throttlingScopes).describe('What was run into; see `throttlesPerSecond`.'),
    reason: text(255).describe(
      'DynamoDB’s word for it, such as `TableWriteKeyRangeThroughputExceeded`; `unknown` where it gave none.',
    ),
    perSecond: amount.describe('How often a second, whatever the key.'),
    advice: text(2000).describe('What to do about this reason.'),
  })
  .meta({ id: 'Throttling' });

const partitionsOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .max(maxPartitions)
    .describe(
      'Those that are hot come first; of these, those that are throttled; then by `utilization`.',
    );

const reportFields = {
  windowSeconds: amount.describe('Seconds that the figures are of: the last ones.'),
  limits: z
    .object({ read: amount, write: amount })
    .describe('Capacity units a second that one partition key takes.'),
  keys: z
    .enum(keyNamings)
    .describe('How partition keys are named (HOT_PARTITION_KEYS): as they are, hashed, or hidden.'),
  throttling: z.array(throttling).max(1000).describe('All reasons, the most frequent first.'),
};

const processId = text(64).describe('A name that the process got at random when it started.');

/** What one process knows. Fields that a later version may have are no fault: peers differ during an update. */
export const processReport = z.object({
  process: processId,
  ...reportFields,
  partitions: partitionsOf(partition),
});

/** The same as it is answered: explained. */
export const explainedReport = z.object({
  process: processId,
  ...reportFields,
  partitions: partitionsOf(explainedPartition),
});

const where = {
  url: text(2048)
    .optional()
    .describe('As HOT_PARTITION_PEERS has it; absent where it is the process that answers.'),
  address: text(64).optional().describe('Of the addresses that the URL stands for, this one.'),
};

/** What all processes know that could be asked, and who they are. */
export const mergedReport = z.object({
  ...reportFields,
  partitions: partitionsOf(explainedPartition),
  processes: z
    .array(
      z.discriminatedUnion('answered', [
        z.object({ ...where, answered: z.literal(true), process: processId }),
        z.object({
          ...where,
          answered: z.literal(false),
          why: z.string().describe('Why its share is missing.'),
        }),
      ]),
    )
    .describe('Who was asked. A process that answered at several addresses is counted once.'),
});

export type ProcessReport = z.output<typeof processReport>;
export type AskedProcess = z.output<typeof mergedReport>['processes'][number];
