// Written by `npm run reference` from the OpenAPI documents of the services: change their routes, not this.
export type Throttling = {
  /** `table`, or the name of the index that is hot. */
  index: string;
  /** Whether the figures are of reads or writes. */
  unit: 'read' | 'write';
  /** The exceeded limit; see `throttlesPerSecond`. */
  scope: 'key_range' | 'table' | 'account' | 'on_demand_maximum' | 'other';
  /** DynamoDB’s throttling reason, such as `TableWriteKeyRangeThroughputExceeded`; `unknown` where it gave none. */
  reason: string;
  /** Throttles a second, of all keys. */
  perSecond: number;
  /** Recommended action for this reason. */
  advice: string;
  /** The code of `advice`; absent where another version wrote the text. */
  adviceCode?: AdviceCode | undefined;
};

/** The advice for programs, such as translations; the text is its English form. */
export type AdviceCode = {
  code:
    | 'reads-of-index'
    | 'writes-of-index'
    | 'likely-cause'
    | 'throttled-below-limit'
    | 'hot-in-total'
    | 'request-less'
    | 'replicas-do-not-help'
    | 'request-device-less'
    | 'replicas-read-same-partition'
    | 'fewer-text-followers'
    | 'raise-task-refresh'
    | 'request-entity-less'
    | 'raise-type-refresh'
    | 'fewer-shard-map-readers'
    | 'batch-readings'
    | 'change-list-slowly'
    | 'many-devices-seen'
    | 'write-attributes-less'
    | 'combine-text-changes'
    | 'change-expiry-less'
    | 'relate-fewer-entities'
    | 'move-device-less'
    | 'combine-entity-changes'
    | 'find-sender-of-value'
    | 'place-devices-slowly'
    | 'move-devices-of-room-slowly'
    | 'find-dead-letter-reason'
    | 'follow-throttled-devices'
    | 'change-types-slowly'
    | 'increase-load-slowly'
    | 'spread-writes'
    | 'shards-are-added'
    | 'turn-on-shard-growth'
    | 'shards-are-added-in-total'
    | 'max-shards-of-device'
    | 'max-shards-of-list'
    | 'max-shards-of-seen'
    | 'max-shards-of-attribute'
    | 'max-shards-of-text'
    | 'max-shards-of-expiry'
    | 'see-hottest-partitions'
    | 'raise-table-capacity'
    | 'raise-index-capacity'
    | 'raise-account-quota'
    | 'raise-on-demand-maximum'
    | 'see-hottest-partitions-first';
  /** The parameters of the text, as far as its code needs them. */
  values: {
    index?: string | undefined;
    unit?: ('read' | 'write') | undefined;
    shards?: number | undefined;
    maxShards?: number | undefined;
  };
};

export type HotPartition = {
  /** `table`, or the name of the index that is hot. */
  index: string;
  /** Whether the figures are of reads or writes. */
  unit: 'read' | 'write';
  /** The partition key: in full, with hashed ids, or its family only, according to `keys`. */
  partition: string;
  /** Kind of the key, such as `device`. */
  kind?:
    | (
        | 'device'
        | 'list'
        | 'seen'
        | 'attribute'
        | 'text'
        | 'expiry'
        | 'relations'
        | 'memberships'
        | 'entity'
        | 'uniqueValue'
        | 'place'
        | 'room'
        | 'deadLetters'
        | 'parkedBlocks'
        | 'types'
        | 'shardMap'
        | 'unknown'
      )
    | undefined;
  /** Family of the key, such as `LIST#DEVICE`; absent where the key cannot be split into shards. */
  family?: string | undefined;
  /** Current number of shards of the family; absent where this process does not know it. */
  shards?: number | undefined;
  /** Consumed capacity units a second; an upper estimate. */
  unitsPerSecond: number;
  /** Units a second by which `unitsPerSecond` may be too high. */
  uncertainty: number;
  /** `unitsPerSecond` as a share of the limit of a partition (`limits`): at 1 the partition is at its limit. */
  utilization: number;
  /** Throttled items and requests a second, by exceeded limit; limits without throttles are omitted. `key_range`: this key; `table`: the provisioned capacity of the table or index; `account`: a quota of the account; `on_demand_maximum`: a setting of the table or index; `other`: DynamoDB gave no reason. */
  throttlesPerSecond: {
    key_range?: number | undefined;
    table?: number | undefined;
    account?: number | undefined;
    on_demand_maximum?: number | undefined;
    other?: number | undefined;
  };
  /** Capacity units a second that other processes use of the same key, according to their latest reports; absent without such reports, and in a merged report, which adds up all processes. */
  othersUnitsPerSecond?: number | undefined;
  /** Time since which the key is hot; absent while it is not. */
  hotSince?: string | undefined;
  /** Recommended actions, the most important first; empty where none is needed. */
  advice: string[];
  /** The codes of `advice`, in its order; null for a text that another version wrote, without a code or with one that this version lacks. Absent in responses of older versions. */
  adviceCodes?: (AdviceCode | null)[] | undefined;
  /** Description of the items under the key. */
  description: string;
  /** The services that write items with this key. */
  writtenBy: string;
  /** How much the key is used, and why it is throttled. */
  reason: string;
  /** The parts of `reason`; absent in responses of older versions. */
  reasonCodes?: ReasonCode[] | undefined;
};

export type ReasonCode = {
  code: 'used' | 'used-in-total' | 'throttled' | 'below-limit' | 'cooling-down';
  values: {
    unit?: ('read' | 'write') | undefined;
    /** Of the units that one partition can take, such as 0.7. */
    share?: number | undefined;
    scope?: ('key_range' | 'table' | 'account' | 'on_demand_maximum' | 'other') | undefined;
    /** Throttles a second. */
    perSecond?: number | undefined;
  };
};

export type HistoryRow = {
  /** `table`, or the name of the index. */
  index: string;
  /** The partition key: in full, with hashed ids, or its family only, according to `keys`. For merged keys, the first segment of the keys. */
  partition: string;
  /** Kind of the key, such as `device`. */
  kind?: string | undefined;
  /** Family of the key, such as `LIST#DEVICE`; absent where the key cannot be split into shards, and where several families are merged. */
  family?: string | undefined;
  /** `true`: the sum of all keys of this kind in this index that have no row of their own. */
  merged: boolean;
  /** Consumed read units in each column, as runs of consecutive columns in ascending order. A column in no run has the value 0. Values are rounded to thousandths. */
  reads: HistoryRun[];
  /** Consumed write units in each column, as runs of consecutive columns in ascending order. A column in no run has the value 0. Values are rounded to thousandths. */
  writes: HistoryRun[];
  /** Throttled items and Queries in each column, as runs of consecutive columns in ascending order. A column in no run has the value 0. Values are rounded to thousandths. */
  throttles: HistoryRun[];
};

export type HistoryRun = {
  /** The column of the first value; column 0 begins at `start`. */
  first: number;
  /** The values of consecutive columns. */
  values: number[];
};

export type Reshard = {
  /** When a process learned of the change. */
  time: string;
  /** The family, such as `LIST#DEVICE`; or the partition key of a device, named as in `keys`. */
  family: string;
  /** Number of shards before. */
  from: number;
  /** Number of shards afterwards. */
  to: number;
};

export interface GetHotPartitionsInput {
  /** Maximum number of partition keys. */
  limit?: number | undefined;
  /** `true` lists only the keys that are hot now; otherwise the busiest keys are listed, hot or not. */
  hot?: boolean | undefined;
}

export type GetHotPartitionsOutput = {
  /** Random id of the process, created at its start. */
  process: string;
  /** Length of the time window of the figures, in seconds. */
  windowSeconds: number;
  /** Maximum capacity units a second of one partition. */
  limits: {
    read: number;
    write: number;
  };
  /** How partition keys are named (HOT_PARTITION_KEYS): in full, hashed, or hidden. */
  keys: 'shown' | 'hashed' | 'hidden';
  /** Whether the token is restricted to places, so that the report has only the keys of these places. */
  restrictedToPlaces: boolean;
  /** All throttling reasons, the most frequent first. */
  throttling: Throttling[];
  /** Hot keys first, throttled ones before the others; then by `utilization`. */
  partitions: HotPartition[];
};

export interface GetMergedHotPartitionsInput {
  /** Maximum number of partition keys. */
  limit?: number | undefined;
  /** `true` lists only the keys that are hot now; otherwise the busiest keys are listed, hot or not. */
  hot?: boolean | undefined;
}

export type GetMergedHotPartitionsOutput = {
  /** Length of the time window of the figures, in seconds. */
  windowSeconds: number;
  /** Maximum capacity units a second of one partition. */
  limits: {
    read: number;
    write: number;
  };
  /** How partition keys are named (HOT_PARTITION_KEYS): in full, hashed, or hidden. */
  keys: 'shown' | 'hashed' | 'hidden';
  /** Whether the token is restricted to places, so that the report has only the keys of these places. */
  restrictedToPlaces: boolean;
  /** All throttling reasons, the most frequent first. */
  throttling: Throttling[];
  /** Hot keys first, throttled ones before the others; then by `utilization`. */
  partitions: HotPartition[];
  /** All processes that a report was requested from. A process with several addresses counts once. */
  processes: (
    | {
        /** URL in HOT_PARTITION_PEERS; absent for the process that sends this response, and for tokens that are restricted to places. */
        url?: string | undefined;
        /** The address of the process, one of those of the URL. */
        address?: string | undefined;
        answered: true;
        /** Random id of the process, created at its start. */
        process: string;
      }
    | {
        /** URL in HOT_PARTITION_PEERS; absent for the process that sends this response, and for tokens that are restricted to places. */
        url?: string | undefined;
        /** The address of the process, one of those of the URL. */
        address?: string | undefined;
        answered: false;
        /** Why the process has no report. */
        why: string;
      }
  )[];
};

export interface GetHotPartitionHistoryInput {
  /** `second`: the last 10 minutes; `minute`: the last 24 hours. */
  resolution?: ('second' | 'minute') | undefined;
  /** Only columns from this time on, such as `now-10s`, for a client that has the earlier ones; local times are in UTC. */
  from?: string | undefined;
  /** Maximum number of rows, fewer if they do not fit a page. The least busy keys beyond it are added to the row of their kind. With fewer rows than kinds (at most 32), the least busy rows are left out. */
  limit?: number | undefined;
}

export type GetHotPartitionHistoryOutput = {
  /** Random id of the process, created at its start. */
  process: string;
  /** The length of a column. */
  resolution: 'second' | 'minute';
  /** Start of the first column: a whole second or minute of the epoch. */
  start: string;
  /** Number of columns: at most 600 seconds, the last one complete; or at most 1,440 minutes, the last one still running. */
  columns: number;
  /** Maximum capacity units a second of one partition. */
  limits: {
    read: number;
    write: number;
  };
  /** How partition keys are named (HOT_PARTITION_KEYS). With `hidden`, several rows have the same name. */
  keys: 'shown' | 'hashed' | 'hidden';
  /** Throttled rows first; then by the largest share of a limit in a column. The units of all rows together are the consumed units. */
  rows: HistoryRow[];
  /** Changes of the number of shards, the oldest first. */
  reshards: Reshard[];
};

export interface GetMergedHotPartitionHistoryInput {
  /** `second`: the last 10 minutes; `minute`: the last 24 hours. */
  resolution?: ('second' | 'minute') | undefined;
  /** Only columns from this time on, such as `now-10s`, for a client that has the earlier ones; local times are in UTC. */
  from?: string | undefined;
  /** Maximum number of rows, fewer if they do not fit a page. The least busy keys beyond it are added to the row of their kind. With fewer rows than kinds (at most 32), the least busy rows are left out. */
  limit?: number | undefined;
}

export type GetMergedHotPartitionHistoryOutput = {
  /** The length of a column. */
  resolution: 'second' | 'minute';
  /** Start of the first column: a whole second or minute of the epoch. */
  start: string;
  /** Number of columns: at most 600 seconds, the last one complete; or at most 1,440 minutes, the last one still running. */
  columns: number;
  /** Maximum capacity units a second of one partition. */
  limits: {
    read: number;
    write: number;
  };
  /** How partition keys are named (HOT_PARTITION_KEYS). With `hidden`, several rows have the same name. */
  keys: 'shown' | 'hashed' | 'hidden';
  /** Throttled rows first; then by the largest share of a limit in a column. The units of all rows together are the consumed units. */
  rows: HistoryRow[];
  /** Changes of the number of shards, the oldest first. */
  reshards: Reshard[];
  /** All processes that a report was requested from. A process with several addresses counts once. */
  processes: (
    | {
        /** URL in HOT_PARTITION_PEERS; absent for the process that sends this response, and for tokens that are restricted to places. */
        url?: string | undefined;
        /** The address of the process, one of those of the URL. */
        address?: string | undefined;
        answered: true;
        /** Random id of the process, created at its start. */
        process: string;
      }
    | {
        /** URL in HOT_PARTITION_PEERS; absent for the process that sends this response, and for tokens that are restricted to places. */
        url?: string | undefined;
        /** The address of the process, one of those of the URL. */
        address?: string | undefined;
        answered: false;
        /** Why the process has no report. */
        why: string;
      }
  )[];
};
