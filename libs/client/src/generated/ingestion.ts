// Written by `npm run reference` from the OpenAPI documents of the services: change their routes, not this.
import { operation } from '../http/operation.ts';
import type {
  Throttling,
  AdviceCode,
  HotPartition,
  ReasonCode,
  HistoryRow,
  HistoryRun,
  Reshard,
  GetHotPartitionsInput,
  GetHotPartitionsOutput,
  GetMergedHotPartitionsInput,
  GetMergedHotPartitionsOutput,
  GetHotPartitionHistoryInput,
  GetHotPartitionHistoryOutput,
  GetMergedHotPartitionHistoryInput,
  GetMergedHotPartitionHistoryOutput,
} from './shared-types.ts';

export type {
  Throttling,
  AdviceCode,
  HotPartition,
  ReasonCode,
  HistoryRow,
  HistoryRun,
  Reshard,
  GetHotPartitionsInput,
  GetHotPartitionsOutput,
  GetMergedHotPartitionsInput,
  GetMergedHotPartitionsOutput,
  GetHotPartitionHistoryInput,
  GetHotPartitionHistoryOutput,
  GetMergedHotPartitionHistoryInput,
  GetMergedHotPartitionHistoryOutput,
};

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
    | 'payload-without-device'
    | 'payload-not-mapped'
    | 'payload-not-gzip'
    | 'payload-too-large-decompressed'
    | 'mapping-too-many-steps'
    | 'too-many-devices'
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
   * Processes the dead letter as if its message arrived now; readings without a time get the time of its receipt. When everything in it is stored, the dead letter is deleted; otherwise it remains, with the current reason. After a problem the replay can be repeated: nothing is stored twice, and `dead-letter-not-found` then means that the first request ended it.
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
