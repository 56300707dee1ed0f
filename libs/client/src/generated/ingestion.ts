// Written by `npm run reference` from the OpenAPI document of the service: change its routes, not this.
import { operation } from '../http/operation.ts';

/** Every other key is a field. A reading that has only `time`, `fields`, and optionally `device` and `cursor`, as in responses of the query service, has its fields in `fields`. */
export type Reading = {
  /** Device of the reading, unless the query names it. */
  device?: string | undefined;
  /** Time of the reading: ISO 8601 with an offset, or epoch seconds or milliseconds. Without `ts`, `time` and `timestamp` are read. */
  ts?: (string | number) | undefined;
  [name: string]: unknown;
};

export type Refusal = {
  /** Index of the reading, counted from 0; absent if the refusal is about all readings. */
  index?: number | undefined;
  reason:
    | 'malformed'
    | 'no_decoder'
    | 'bad_device'
    | 'bad_time'
    | 'expired'
    | 'bad_number'
    | 'bad_field'
    | 'too_deep'
    | 'too_large'
    | 'unknown_alias'
    | 'not_admitted'
    | 'refused_by_table'
    | 'internal_error';
  detail: string;
  /** `detail` for programs, such as translations. Absent where an older version wrote the detail, or a newer one with another code. */
  detailCode?: DetailCode | undefined;
};

export type DetailCode = {
  code:
    | 'payload-undecodable'
    | 'payload-unreadable'
    | 'payload-not-json'
    | 'payload-gzip'
    | 'payload-utf-16'
    | 'payload-ends-with-nul'
    | 'payload-not-text'
    | 'payload-not-object'
    | 'payload-too-deep'
    | 'attribute-too-deep'
    | 'array-empty'
    | 'properties-missing'
    | 'property-not-object'
    | 'property-without-name'
    | 'value-missing'
    | 'params-missing'
    | 'output-not-json'
    | 'not-sparkplug'
    | 'metric-name-not-text'
    | 'metric-value-not-text'
    | 'metric-without-name'
    | 'alias-not-born'
    | 'type-not-born'
    | 'no-decoder'
    | 'payload-unrecognized'
    | 'topic-levels'
    | 'topic-level-empty'
    | 'message-too-large'
    | 'reading-not-json'
    | 'reading-too-deep'
    | 'reading-too-long'
    | 'reading-too-large'
    | 'reading-not-object'
    | 'reading-without-field'
    | 'fields-too-deep'
    | 'field-bytes'
    | 'field-name-not-text'
    | 'field-name-empty'
    | 'field-name-reserved'
    | 'field-name-half-pair'
    | 'field-name-too-long'
    | 'field-too-large'
    | 'field-twice'
    | 'field-twice-flattened'
    | 'field-half-pair'
    | 'number-unfit'
    | 'time-not-readable'
    | 'time-without-offset'
    | 'time-epoch-in-text'
    | 'time-out-of-years'
    | 'time-ahead'
    | 'time-long-ago'
    | 'reading-expired'
    | 'device-missing'
    | 'device-invalid'
    | 'device-not-registered'
    | 'table-rejects'
    | 'internal-error'
    | 'dead-letter-too-large'
    | 'dead-letter-incomplete'
    | 'dead-letter-rejected';
  /** The parameters of the text, as far as its code needs them. */
  values: {
    /** Name of a field or metric, in quotation marks. */
    field?: string | undefined;
    attribute?: string | undefined;
    /** A message in English, such as that of a parser. */
    message?: string | undefined;
    /** ISO 8601. */
    time?: string | undefined;
    bytes?: number | undefined;
    /** Number of readings. */
    readings?: number | undefined;
    /** The maximum that is exceeded. */
    max?: number | undefined;
    /** Kind of the device. */
    kind?: string | undefined;
    /** Alias of a Sparkplug metric. */
    alias?: string | undefined;
    /** Type of a Sparkplug message. */
    messageType?: string | undefined;
    /** Expected number of levels in the topic. */
    levels?: number | undefined;
    /** Index of the reading; of a dead letter. */
    index?: number | undefined;
    /** Number of further readings that are refused or stored in part; of a dead letter. */
    more?: number | undefined;
    /** Number of values that are left out of stored readings; of a dead letter. */
    leftOut?: number | undefined;
    /** Bytes of user properties that the dead letter omits. */
    omittedBytes?: number | undefined;
  };
};

export type LeftOut = {
  /** Index of the reading, counted from 0; absent if the refusal is about all readings. */
  index?: number | undefined;
  reason:
    | 'malformed'
    | 'no_decoder'
    | 'bad_device'
    | 'bad_time'
    | 'expired'
    | 'bad_number'
    | 'bad_field'
    | 'too_deep'
    | 'too_large'
    | 'unknown_alias'
    | 'not_admitted'
    | 'refused_by_table'
    | 'internal_error';
  detail: string;
  /** `detail` for programs, such as translations. Absent where an older version wrote the detail, or a newer one with another code. */
  detailCode?: DetailCode | undefined;
  /** Name of the field, in quotation marks; long names are truncated. */
  field: string;
};

export type LiveEvent =
  | {
      /** Value of `Last-Event-ID` after this event. */
      id: string;
      event: 'reading';
      data: LiveReading;
    }
  | {
      event: 'lost';
      data: {
        /** Number of lost readings; absent if it is unknown. */
        count?: number | undefined;
      };
    };

export type LiveReading = {
  device: string;
  /** Absent if the device was not placed at that time. */
  place?: string | undefined;
  room?: string | undefined;
  time: string;
  /** By field name; numbers have all their digits. */
  fields: Record<string, number | string | boolean | null>;
};

export type DeadLetterPreview =
  | {
      outcome: 'stored';
      /** At most 1,000 readings that a replay would store, as many as fit a page. */
      readings: {
        device: string;
        time: string;
        /** By field name; numbers have all their digits. */
        fields: Record<string, number | string | boolean | null>;
      }[];
      /** Number of readings that a replay would store. */
      stored: number;
    }
  | {
      outcome: 'refused';
      reason:
        | 'malformed'
        | 'no_decoder'
        | 'bad_device'
        | 'bad_time'
        | 'expired'
        | 'bad_number'
        | 'bad_field'
        | 'too_deep'
        | 'too_large'
        | 'unknown_alias'
        | 'not_admitted'
        | 'refused_by_table'
        | 'internal_error';
      detail: string;
      /** `detail` for programs, such as translations. Absent where an older version wrote the detail, or a newer one with another code. */
      detailCode?: DetailCode | undefined;
      /** Indexes of the readings that are refused, or stored without some values; absent if it is the whole message. */
      indexes?: number[] | undefined;
      refusedCount: number;
      /** Values that are not stored, of readings that are stored. */
      leftOutCount: number;
      /** At most 1,000 of these values, by reading, as many as fit a page; at most ten of a reading. */
      leftOut: LeftOut[];
      /** At most 1,000 readings that a replay would store, as many as fit a page. */
      readings: {
        device: string;
        time: string;
        /** By field name; numbers have all their digits. */
        fields: Record<string, number | string | boolean | null>;
      }[];
      /** Number of readings that a replay would store. */
      stored: number;
    };

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

export interface PostReadingsInput {
  /** Device of all readings; `device` in a reading is then a field like others. */
  device?: string | undefined;
  body: Reading | Reading[];
}

export type PostReadingsOutput = {
  /** Readings stored, now or before. */
  stored: number;
  refusedCount: number;
  /** At most 1,000 refused readings, by index, as many as fit a page. */
  refused: Refusal[];
  /** Values that are not stored, of readings that are stored. */
  leftOutCount: number;
  /** At most 1,000 of these values, by reading, as many as fit a page; at most ten of a reading. */
  leftOut: LeftOut[];
};

export interface GetLiveInput {
  /** Readings of this device. */
  device?: string[] | undefined;
  /** Readings taken in this room, as `place/room`; a `/` or `%` in an id is percent-encoded. */
  room?: string[] | undefined;
  /** Readings taken at this place. */
  place?: string[] | undefined;
  /** The last id received, of an event or a comment; the stream continues after it. */
  lastEventId?: string | undefined;
}

export interface ListDeadLettersInput {
  /** Day of receipt in UTC; default: today. */
  day?: string | undefined;
  /** By time of receipt; `descending` has the newest first. */
  order?: ('ascending' | 'descending') | undefined;
  /** Only dead letters with this reason. */
  reason?:
    | (
        | 'malformed'
        | 'no_decoder'
        | 'bad_device'
        | 'bad_time'
        | 'expired'
        | 'bad_number'
        | 'bad_field'
        | 'too_deep'
        | 'too_large'
        | 'unknown_alias'
        | 'not_admitted'
        | 'refused_by_table'
        | 'internal_error'
      )
    | undefined;
  /** Only dead letters of this topic, or of topics that this MQTT topic filter matches, such as `engawa/+/readings`. */
  topic?: string | undefined;
  /** Only dead letters whose topic names this device, by the present decoders and topic filters. */
  device?: string | undefined;
  /** Maximum number of items; a page may have fewer although more follow. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
}

export type ListDeadLettersOutput = {
  items: {
    id: string;
    reason:
      | 'malformed'
      | 'no_decoder'
      | 'bad_device'
      | 'bad_time'
      | 'expired'
      | 'bad_number'
      | 'bad_field'
      | 'too_deep'
      | 'too_large'
      | 'unknown_alias'
      | 'not_admitted'
      | 'refused_by_table'
      | 'internal_error';
    detail: string;
    /** `detail` for programs, such as translations. Absent where an older version wrote the detail, or a newer one with another code. */
    detailCode?: DetailCode | undefined;
    topic: string;
    receivedAt: string;
    /** Length of the payload in bytes. */
    bytes: number;
    /** Indexes of the readings that are not stored, or not completely, counted from 0; absent if it is the whole message. */
    indexes?: number[] | undefined;
    /** The first ten values that are not stored of readings whose other values are stored. A replay stores only these. */
    leftOut?: LeftOut[] | undefined;
    /** A part of the payload is missing: a replay would refuse the dead letter. A list does not know this of a payload over 2 MiB. */
    incomplete?:
      | {
          reason:
            | 'malformed'
            | 'no_decoder'
            | 'bad_device'
            | 'bad_time'
            | 'expired'
            | 'bad_number'
            | 'bad_field'
            | 'too_deep'
            | 'too_large'
            | 'unknown_alias'
            | 'not_admitted'
            | 'refused_by_table'
            | 'internal_error';
          detail: string;
          /** `detail` for programs, such as translations. Absent where an older version wrote the detail, or a newer one with another code. */
          detailCode?: DetailCode | undefined;
        }
      | undefined;
    /** MQTT 5 user properties. */
    properties: Record<string, string | string[]>;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface ReplayDeadLettersInput {
  body: {
    ids?: string[] | undefined;
    /** Day of receipt in UTC, such as 2026-11-21. */
    day?: string | undefined;
    /** Only dead letters with this reason. */
    reason?:
      | (
          | 'malformed'
          | 'no_decoder'
          | 'bad_device'
          | 'bad_time'
          | 'expired'
          | 'bad_number'
          | 'bad_field'
          | 'too_deep'
          | 'too_large'
          | 'unknown_alias'
          | 'not_admitted'
          | 'refused_by_table'
          | 'internal_error'
        )
      | undefined;
    /** Only dead letters of this topic, or of topics that this MQTT topic filter matches, such as `engawa/+/readings`. */
    topic?: string | undefined;
    /** Only dead letters whose topic names this device, by the present decoders and topic filters. */
    device?: string | undefined;
    /** The `cursor` of the previous response, with all other properties unchanged. */
    cursor?: string | undefined;
  };
}

export type ReplayDeadLettersOutput = {
  /** Dead letters that are stored as readings now, and deleted. */
  replayed: number;
  /** Readings stored, now or before. */
  stored: number;
  /** Dead letters that did not exist, or that another request removed meanwhile. */
  missing: number;
  /** Dead letters that still cannot be stored completely, each with its first reason. */
  stayed: {
    /** Index of the reading, counted from 0; absent if the refusal is about all readings. */
    index?: number | undefined;
    reason:
      | 'malformed'
      | 'no_decoder'
      | 'bad_device'
      | 'bad_time'
      | 'expired'
      | 'bad_number'
      | 'bad_field'
      | 'too_deep'
      | 'too_large'
      | 'unknown_alias'
      | 'not_admitted'
      | 'refused_by_table'
      | 'internal_error';
    detail: string;
    /** `detail` for programs, such as translations. Absent where an older version wrote the detail, or a newer one with another code. */
    detailCode?: DetailCode | undefined;
    id: string;
  }[];
  /** There are more dead letters: repeat the request with this cursor. */
  cursor?: string | undefined;
};

export interface DiscardDeadLettersInput {
  body: {
    ids?: string[] | undefined;
    /** Day of receipt in UTC, such as 2026-11-21. */
    day?: string | undefined;
    /** Only dead letters with this reason. */
    reason?:
      | (
          | 'malformed'
          | 'no_decoder'
          | 'bad_device'
          | 'bad_time'
          | 'expired'
          | 'bad_number'
          | 'bad_field'
          | 'too_deep'
          | 'too_large'
          | 'unknown_alias'
          | 'not_admitted'
          | 'refused_by_table'
          | 'internal_error'
        )
      | undefined;
    /** Only dead letters of this topic, or of topics that this MQTT topic filter matches, such as `engawa/+/readings`. */
    topic?: string | undefined;
    /** Only dead letters whose topic names this device, by the present decoders and topic filters. */
    device?: string | undefined;
    /** The `cursor` of the previous response, with all other properties unchanged. */
    cursor?: string | undefined;
  };
}

export type DiscardDeadLettersOutput = {
  /** Dead letters that were deleted. */
  discarded: number;
  /** Dead letters that did not exist, or that another request removed meanwhile. */
  missing: number;
  /** There are more dead letters: repeat the request with this cursor. */
  cursor?: string | undefined;
};

export interface GetDeadLetterInput {
  /** Id of the dead letter, as in a list. */
  id: string;
  /** Offset in the payload, in bytes. */
  offset?: number | undefined;
}

export type GetDeadLetterOutput = {
  id: string;
  reason:
    | 'malformed'
    | 'no_decoder'
    | 'bad_device'
    | 'bad_time'
    | 'expired'
    | 'bad_number'
    | 'bad_field'
    | 'too_deep'
    | 'too_large'
    | 'unknown_alias'
    | 'not_admitted'
    | 'refused_by_table'
    | 'internal_error';
  detail: string;
  /** `detail` for programs, such as translations. Absent where an older version wrote the detail, or a newer one with another code. */
  detailCode?: DetailCode | undefined;
  topic: string;
  receivedAt: string;
  /** Length of the payload in bytes. */
  bytes: number;
  /** Indexes of the readings that are not stored, or not completely, counted from 0; absent if it is the whole message. */
  indexes?: number[] | undefined;
  /** The first ten values that are not stored of readings whose other values are stored. A replay stores only these. */
  leftOut?: LeftOut[] | undefined;
  /** A part of the payload is missing: a replay would refuse the dead letter. A list does not know this of a payload over 2 MiB. */
  incomplete?:
    | {
        reason:
          | 'malformed'
          | 'no_decoder'
          | 'bad_device'
          | 'bad_time'
          | 'expired'
          | 'bad_number'
          | 'bad_field'
          | 'too_deep'
          | 'too_large'
          | 'unknown_alias'
          | 'not_admitted'
          | 'refused_by_table'
          | 'internal_error';
        detail: string;
        /** `detail` for programs, such as translations. Absent where an older version wrote the detail, or a newer one with another code. */
        detailCode?: DetailCode | undefined;
      }
    | undefined;
  /** MQTT 5 user properties. */
  properties: Record<string, string | string[]>;
  /** This range of the payload, if it is UTF-8 text. */
  text?: string | undefined;
  /** This range of the payload. */
  base64: string;
  /** Offset of this range in the payload, in bytes. */
  offset: number;
  /** Offset of the next range; absent in the last one, and before a missing part. */
  nextOffset?: number | undefined;
};

export interface DiscardDeadLetterInput {
  /** Id of the dead letter, as in a list. */
  id: string;
}

export type DiscardDeadLetterOutput = undefined;

export interface ReplayDeadLetterInput {
  /** Id of the dead letter, as in a list. */
  id: string;
}

export type ReplayDeadLetterOutput = {
  /** Readings stored, now or before. */
  stored: number;
  refusedCount: number;
  /** At most 1,000 refused readings, by index, as many as fit a page. */
  refused: Refusal[];
  /** Values that are not stored, of readings that are stored. */
  leftOutCount: number;
  /** At most 1,000 of these values, by reading, as many as fit a page; at most ten of a reading. */
  leftOut: LeftOut[];
};

export interface PreviewDeadLetterInput {
  /** Id of the dead letter, as in a list. */
  id: string;
}

export type PreviewDeadLetterOutput = DeadLetterPreview;

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

export const ingestionOperations = {
  /**
   * Store readings.
   *
   * A reading, an array of readings, or a reading per line (NDJSON), read as a stream. The response is sent when everything is durable.
   *
   * The status is 202 whenever the body can be read, even if all readings are refused: check `refused`. A value that cannot
   * be stored is left out of its reading: check `leftOut`. Refused readings and values are not kept. If a body turns out not to be JSON (or to be too large) after its first readings, the response is a problem, and
   * those readings are stored nevertheless. After a problem, or without a response, send the whole body again: a reading with
   * a time is never stored twice. A reading without a time gets the time of its receipt.
   *
   * The time of a reading is the first of `ts`, `time` and `timestamp` that it has; the others are fields. A `time` or
   * `timestamp` with only a time of day, such as `18:42`, or with an empty text, is a field. If it is no time otherwise,
   * the reading is refused with `bad_time`: add `ts` to readings that have a field called `time`. NDJSON from the query service, its
   * pages, and the `items` of them can be posted unchanged.
   */
  postReadings: operation<PostReadingsInput, PostReadingsOutput>({
    method: 'POST',
    path: '/v1/readings',
    query: ['device'],
    type: 'application/json',
  }),
  /**
   * List the dead letters of a day.
   *
   * Without payloads, the newest first. Dead letters are kept for 14 days.
   *
   * A page costs half a read unit, and the units of the dead letters that are read with their payloads (half a unit per
   * 4 KB); on a day whose dead letters are in 64 shards, because DynamoDB throttled the first, a Query of each shard. The
   * filters `reason`, `topic` and `device` drop dead letters that were read. A page may therefore be short or empty and
   * still have a next page.
   *
   * Dead letters that versions up to 0.2.0 stored are the oldest of their day, and not ordered by time.
   */
  listDeadLetters: operation<ListDeadLettersInput, ListDeadLettersOutput>({
    method: 'GET',
    path: '/v1/deadLetters',
    query: ['day', 'order', 'reason', 'topic', 'device', 'limit', 'cursor'],
  }),
  /**
   * Replay many dead letters.
   *
   * Selects dead letters of a day, the oldest first, optionally of one reason, topic or device, or by their ids. At most 1,000 dead letters per request, fewer if they take long or do not fit a page; `cursor` indicates that there are more.
   */
  replayDeadLetters: operation<ReplayDeadLettersInput, ReplayDeadLettersOutput>({
    method: 'POST',
    path: '/v1/deadLetters/replay',
    query: [],
    type: 'application/json',
  }),
  /**
   * Discard many dead letters.
   *
   * Selects dead letters of a day, the oldest first, optionally of one reason, topic or device, or by their ids. At most 1,000 dead letters per request, fewer if they take long; `cursor` indicates that there are more.
   */
  discardDeadLetters: operation<DiscardDeadLettersInput, DiscardDeadLettersOutput>({
    method: 'POST',
    path: '/v1/deadLetters/discard',
    query: [],
    type: 'application/json',
  }),
  /**
   * A dead letter with its payload.
   *
   * A payload that does not fit a page is returned in ranges; `nextOffset` of the response is the `offset` of the next range. A range ends before a missing part of the payload, and has `incomplete` and no `nextOffset`.
   */
  getDeadLetter: operation<GetDeadLetterInput, GetDeadLetterOutput>({
    method: 'GET',
    path: '/v1/deadLetters/{id}',
    query: ['offset'],
  }),
  /**
   * Discard a dead letter.
   *
   * Deletes the dead letter permanently. Readings of it that were stored remain.
   */
  discardDeadLetter: operation<DiscardDeadLetterInput, DiscardDeadLetterOutput>({
    method: 'DELETE',
    path: '/v1/deadLetters/{id}',
    query: [],
  }),
  /**
   * Replay a dead letter.
   *
   * Processes the dead letter as if its message arrived now; readings without a time get the time of its receipt. When everything in it is stored, the dead letter is deleted; otherwise it remains, with the current reason. After a problem the replay can be repeated: nothing is stored twice.
   */
  replayDeadLetter: operation<ReplayDeadLetterInput, ReplayDeadLetterOutput>({
    method: 'POST',
    path: '/v1/deadLetters/{id}/replay',
    query: [],
  }),
  /**
   * The outcome that a replay of a dead letter would have now.
   *
   * Decodes and checks the dead letter as a replay does, with the current decoders and settings, and writes nothing. `refused` has the reason that the dead letter would have after the replay, which stores the readings listed all the same. A reading that the table rejects is found only by a replay.
   */
  previewDeadLetter: operation<PreviewDeadLetterInput, PreviewDeadLetterOutput>({
    method: 'GET',
    path: '/v1/deadLetters/{id}/preview',
    query: [],
  }),
  /**
   * List hot partitions of this process.
   *
   * The partition keys that this process uses most, with their load and throttles of the last seconds, the reason, and advice. Other processes use the same keys: `/v1/hot-partitions/merged` adds up all of them.
   */
  getHotPartitions: operation<GetHotPartitionsInput, GetHotPartitionsOutput>({
    method: 'GET',
    path: '/v1/hot-partitions',
    query: ['limit', 'hot'],
  }),
  /**
   * List hot partitions of all processes.
   *
   * Requests the reports of all processes in HOT_PARTITION_PEERS concurrently, for at most two seconds and with the token of this request, and adds them up. Without HOT_PARTITION_PEERS, the report has this process only.
   */
  getMergedHotPartitions: operation<GetMergedHotPartitionsInput, GetMergedHotPartitionsOutput>({
    method: 'GET',
    path: '/v1/hot-partitions/merged',
    query: ['limit', 'hot'],
  }),
  /**
   * Show the load of partition keys over time, of this process.
   *
   * What this process consumed of each partition key, by seconds or minutes: the busiest keys have rows of their own, the others are merged by kind and index. Other processes use the same keys: `/v1/hot-partitions/history/merged` adds up all of them.
   */
  getHotPartitionHistory: operation<GetHotPartitionHistoryInput, GetHotPartitionHistoryOutput>({
    method: 'GET',
    path: '/v1/hot-partitions/history',
    query: ['resolution', 'from', 'limit'],
  }),
  /**
   * Show the load of partition keys over time, of all processes.
   *
   * Requests the histories of all processes in HOT_PARTITION_PEERS concurrently, for at most two seconds and with the token of this request, and adds up their columns. Without HOT_PARTITION_PEERS, the history has this process only. The last two columns may still change, since clocks differ.
   */
  getMergedHotPartitionHistory: operation<
    GetMergedHotPartitionHistoryInput,
    GetMergedHotPartitionHistoryOutput
  >({
    method: 'GET',
    path: '/v1/hot-partitions/history/merged',
    query: ['resolution', 'from', 'limit'],
  }),
};
