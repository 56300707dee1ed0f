import { keyNamings, maxColumns, maxHistoryRows, maxReshards, resolutions } from '@engawa/heat';
import { z } from 'zod';
import { amount, polledProcesses, processId, text } from './report-schema.ts';
import type { PeerQuestion } from './fetch-peer-report.ts';

const columns = z.int().min(0).max(maxColumns.minute);

const run = z
  .object({
    first: columns.describe('The column of the first value; column 0 begins at `start`.'),
    values: z.array(amount).max(maxColumns.minute).describe('The values of consecutive columns.'),
  })
  .meta({ id: 'HistoryRun' });

const series = (what: string) =>
  z
    .array(run)
    .max(maxColumns.minute)
    .describe(
      `${what} in each column, as runs of consecutive columns in ascending order. A column in no run has the value 0. Values are rounded to thousandths.`,
    );

const row = z
  .object({
    index: text(255).describe('`table`, or the name of the index.'),
    partition: text(8192).describe(
      'The partition key: in full, with hashed ids, or its family only, according to `keys`. For merged keys, the first segment of the keys.',
    ),
    kind: text(64).optional().describe('Kind of the key, such as `device`.'),
    family: text(8192)
      .optional()
      .describe(
        'Family of the key, such as `LIST#DEVICE`; absent where the key cannot be split into shards, and where several families are merged.',
      ),
    merged: z
      .boolean()
      .describe(
        '`true`: the sum of all keys of this kind in this index that have no row of their own.',
      ),
    reads: series('Consumed read units'),
    writes: series('Consumed write units'),
    throttles: series('Throttled items and Queries'),
  })
  .meta({ id: 'HistoryRow' });

const reshard = z
  .object({
    time: z.iso.datetime().max(40).describe('When a process learned of the change.'),
    family: text(8192).describe(
      'The family, such as `LIST#DEVICE`; or the partition key of a device, named as in `keys`.',
    ),
    from: z.int().min(1).max(1024).describe('Number of shards before.'),
    to: z.int().min(1).max(1024).describe('Number of shards afterwards.'),
  })
  .meta({ id: 'Reshard' });

const historyFields = {
  resolution: z.enum(resolutions).describe('The length of a column.'),
  start: z.iso
    .datetime()
    .max(40)
    .describe('Start of the first column: a whole second or minute of the epoch.'),
  columns: columns.describe(
    'Number of columns: at most 600 seconds, the last one complete; or at most 1,440 minutes, the last one still running.',
  ),
  limits: z
    .object({ read: amount, write: amount })
    .describe('Maximum capacity units a second of one partition.'),
  keys: z
    .enum(keyNamings)
    .describe(
      'How partition keys are named (HOT_PARTITION_KEYS). With `hidden`, several rows have the same name.',
    ),
  rows: z
    .array(row)
    .max(maxHistoryRows)
    .describe(
      'Throttled rows first; then by the largest share of a limit in a column. The units of all rows together are the consumed units.',
    ),
  reshards: z
    .array(reshard)
    .max(maxReshards)
    .describe('Changes of the number of shards, the oldest first.'),
};

export const processHistory = z.object({ process: processId, ...historyFields });

export const mergedHistory = z.object({ ...historyFields, processes: polledProcesses });

export type ProcessHistory = z.output<typeof processHistory>;

export const historyPath = '/v1/hot-partitions/history';

/** Bytes of a response of a peer: a busy process has up to a third of it. */
const maxBytes = 16_000_000;

/** Bytes of the responses of all peers. */
const maxTotalBytes = 64_000_000;

/** The request for the histories of the peers. */
export function historyQuestion(parameters: Record<string, string>): PeerQuestion<ProcessHistory> {
  return {
    path: historyPath,
    parameters: { ...parameters, limit: String(maxHistoryRows) },
    schema: processHistory,
    maxBytes,
    memory: { bytes: maxTotalBytes },
    missing: 'its version has no history of hot partitions',
  };
}
