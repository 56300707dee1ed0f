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

export type KeyFamily =
  | 'device'
  | 'block'
  | 'parkedBlock'
  | 'rollup'
  | 'correction'
  | 'correctionRow'
  | 'place'
  | 'room'
  | 'placement'
  | 'membership'
  | 'purgeJob'
  | 'deadLetter'
  | 'deadLettersSpread'
  | 'deadLetterDelivery'
  | 'birth'
  | 'birthOfDevice'
  | 'session'
  | 'shardMap'
  | 'entityType'
  | 'entityTypesMark'
  | 'entity'
  | 'relation'
  | 'attributeRow'
  | 'textRow'
  | 'leftOutRow'
  | 'expiryRow'
  | 'uniqueValue'
  | 'catalogTask'
  | 'deviceList'
  | 'deviceSeen'
  | 'placeList'
  | 'roomList'
  | 'membershipsOfDevice'
  | 'entityList'
  | 'relationsToEntity'
  | 'search'
  | 'rankingWithin'
  | 'rankingOfPeriod'
  | 'textChanges'
  | 'textRebuild'
  | 'leftOutOfType'
  | 'expiries';

export interface GetLatestInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Maximum number of readings. */
  limit?: number | undefined;
}

export type GetLatestOutput = {
  device: {
    id: string;
    name: string;
    kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
    /** `pending`: the readings of the device are hidden until the device is approved. */
    status: 'active' | 'pending';
    /** When the device last sent a message; updated at least once an hour. */
    lastSeenAt: string;
  };
  /** Newest first. */
  readings: {
    time: string;
    /** Values by field name, as reported. Numbers keep all digits. */
    fields: Record<string, number | string | boolean | null>;
  }[];
  /** Present, and true, if the device may have further readings: so many of its newest readings have expired, or its readings are so large, that more would exceed the limits of one request. List the readings of the device page by page instead. */
  incomplete?: true | undefined;
};

export interface GetLatestOfManyInput {
  /** The ids of the devices, at most 100: `device=a&device=b`. */
  device: string[];
  /** Maximum number of readings per device. */
  readings?: number | undefined;
  /** Maximum number of devices, up to 100 on a page. A page may have fewer devices and still a cursor. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
}

export type GetLatestOfManyOutput = {
  /** Devices with their readings, newest first. */
  items: {
    device: {
      id: string;
      name: string;
      kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
      /** `pending`: the readings of the device are hidden until the device is approved. */
      status: 'active' | 'pending';
      /** When the device last sent a message; updated at least once an hour. */
      lastSeenAt: string;
    };
    /** Newest first. */
    readings: {
      time: string;
      /** Values by field name, as reported. Numbers keep all digits. */
      fields: Record<string, number | string | boolean | null>;
    }[];
    /** Present, and true, if the device may have further readings: so many of its newest readings have expired, or its readings are so large, that more would exceed the limits of one request. List the readings of the device page by page instead. */
    incomplete?: true | undefined;
  }[];
  /** The ids without a device. */
  missing: string[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetRoomLatestInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, unique in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** Maximum number of readings per device. */
  readings?: number | undefined;
  /** Maximum number of devices, up to 100 on a page. A page may have fewer devices and still a cursor. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
}

export type GetRoomLatestOutput = {
  /** Devices with their readings, newest first. */
  items: {
    device: {
      id: string;
      name: string;
      kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
      /** `pending`: the readings of the device are hidden until the device is approved. */
      status: 'active' | 'pending';
      /** When the device last sent a message; updated at least once an hour. */
      lastSeenAt: string;
    };
    /** Newest first. */
    readings: {
      time: string;
      /** Values by field name, as reported. Numbers keep all digits. */
      fields: Record<string, number | string | boolean | null>;
    }[];
    /** Present, and true, if the device may have further readings: so many of its newest readings have expired, or its readings are so large, that more would exceed the limits of one request. List the readings of the device page by page instead. */
    incomplete?: true | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetPlaceLatestInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Maximum number of readings per device. */
  readings?: number | undefined;
  /** Maximum number of devices, up to 100 on a page. A page may have fewer devices and still a cursor. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
}

export type GetPlaceLatestOutput = {
  /** Devices with their readings, newest first. */
  items: {
    device: {
      id: string;
      name: string;
      kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
      /** `pending`: the readings of the device are hidden until the device is approved. */
      status: 'active' | 'pending';
      /** When the device last sent a message; updated at least once an hour. */
      lastSeenAt: string;
    };
    /** Newest first. */
    readings: {
      time: string;
      /** Values by field name, as reported. Numbers keep all digits. */
      fields: Record<string, number | string | boolean | null>;
    }[];
    /** Present, and true, if the device may have further readings: so many of its newest readings have expired, or its readings are so large, that more would exceed the limits of one request. List the readings of the device page by page instead. */
    incomplete?: true | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetFieldsInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The time back to which readings are searched, which determines the cost: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m`, `now+30d` (units s, m, h, d, w: a day is 24 hours), or a local time in `timeZone`: a date such as `2026-11-20`, which means its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `at`. */
  from?: string | undefined;
  /** Returns the values as of this time: of readings with this time or an earlier one, of the devices that were there then. By default all readings, and the devices that are there now. */
  at?: string | undefined;
  /** The time zone of dates and local times in `from` and `at`: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Names of fields, separated by commas: returns only these fields, and ends the search when all are found. */
  fields?: string | undefined;
  /** Maximum number of fields; a page may have fewer although more follow. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get further fields; each page costs as much as the first one. */
  cursor?: string | undefined;
}

export type GetFieldsOutput = {
  device: {
    id: string;
    name: string;
    kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
    /** `pending`: the readings of the device are hidden until the device is approved. */
    status: 'active' | 'pending';
    /** When the device last sent a message; updated at least once an hour. */
    lastSeenAt: string;
  };
  /** Readings from this time on were searched: a missing field has not been reported since then. */
  since: string;
  fields: {
    name: string;
    /** The kind of the last value; `null` if the last value is null. */
    kind: 'number' | 'text' | 'boolean' | 'null';
    /** The unit, for numbers with well-known names such as `temperature`. */
    unit?: string | undefined;
    /** The last value. Numbers keep all digits. */
    value: number | string | boolean | null;
    /** The time of the last value. */
    time: string;
    /** The time of the oldest stored reading with the field; absent if none of the oldest 100 readings has the field. */
    firstSeenAt?: string | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetRoomFieldsInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, unique in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** The time back to which readings are searched, which determines the cost: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m`, `now+30d` (units s, m, h, d, w: a day is 24 hours), or a local time in `timeZone`: a date such as `2026-11-20`, which means its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `at`. */
  from?: string | undefined;
  /** Returns the values as of this time: of readings with this time or an earlier one, of the devices that were there then. By default all readings, and the devices that are there now. */
  at?: string | undefined;
  /** The time zone of dates and local times in `from` and `at`: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Names of fields, separated by commas: returns only these fields, and ends the search when all are found. */
  fields?: string | undefined;
  /** Maximum number of devices, up to 100 on a page. A page may have fewer devices and still a cursor. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
}

export type GetRoomFieldsOutput = {
  items: {
    device: {
      id: string;
      name: string;
      kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
      /** `pending`: the readings of the device are hidden until the device is approved. */
      status: 'active' | 'pending';
      /** When the device last sent a message; updated at least once an hour. */
      lastSeenAt: string;
    };
    /** Readings from this time on were searched: a missing field has not been reported since then. */
    since: string;
    /** Sorted by name, each with its last value. Elements of a list that became shorter, and contents of a list or map that became empty, are absent; the latter is null. */
    fields: {
      name: string;
      /** The kind of the last value; `null` if the last value is null. */
      kind: 'number' | 'text' | 'boolean' | 'null';
      /** The unit, for numbers with well-known names such as `temperature`. */
      unit?: string | undefined;
      /** The last value. Numbers keep all digits. */
      value: number | string | boolean | null;
      /** The time of the last value. */
      time: string;
    }[];
    /** Present, and true, if the fields exceed a page alone, which then has the first of them. List the fields of the device page by page instead. */
    incomplete?: true | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetPlaceFieldsInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The time back to which readings are searched, which determines the cost: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m`, `now+30d` (units s, m, h, d, w: a day is 24 hours), or a local time in `timeZone`: a date such as `2026-11-20`, which means its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `at`. */
  from?: string | undefined;
  /** Returns the values as of this time: of readings with this time or an earlier one, of the devices that were there then. By default all readings, and the devices that are there now. */
  at?: string | undefined;
  /** The time zone of dates and local times in `from` and `at`: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Names of fields, separated by commas: returns only these fields, and ends the search when all are found. */
  fields?: string | undefined;
  /** Maximum number of devices, up to 100 on a page. A page may have fewer devices and still a cursor. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
}

export type GetPlaceFieldsOutput = {
  items: {
    device: {
      id: string;
      name: string;
      kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
      /** `pending`: the readings of the device are hidden until the device is approved. */
      status: 'active' | 'pending';
      /** When the device last sent a message; updated at least once an hour. */
      lastSeenAt: string;
    };
    /** Readings from this time on were searched: a missing field has not been reported since then. */
    since: string;
    /** Sorted by name, each with its last value. Elements of a list that became shorter, and contents of a list or map that became empty, are absent; the latter is null. */
    fields: {
      name: string;
      /** The kind of the last value; `null` if the last value is null. */
      kind: 'number' | 'text' | 'boolean' | 'null';
      /** The unit, for numbers with well-known names such as `temperature`. */
      unit?: string | undefined;
      /** The last value. Numbers keep all digits. */
      value: number | string | boolean | null;
      /** The time of the last value. */
      time: string;
    }[];
    /** Present, and true, if the fields exceed a page alone, which then has the first of them. List the fields of the device page by page instead. */
    incomplete?: true | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetReadingsInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m`, `now+30d` (units s, m, h, d, w: a day is 24 hours), or a local time in `timeZone`: a date such as `2026-11-20`, which means its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 366 days after `from`. By default now. */
  to?: string | undefined;
  /** The time zone of dates and local times: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Maximum number of elements. A page may have fewer elements and still a cursor. By default 100 on a page; unlimited in NDJSON and CSV. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
  /** names of fields, separated by commas; a name with a comma is quoted, as in CSV: returns only these fields, and no reading without any of them. Determines the columns of CSV. Without `fields`, CSV has one column for each field in the range, and the range is read twice; it must not exceed the limits of one request. */
  fields?: string | undefined;
  /** Oldest first, or newest first. */
  order?: ('asc' | 'desc') | undefined;
}

export type GetReadingsOutput = {
  /** In order of time. */
  items: {
    time: string;
    /** Values by field name, as reported. Numbers keep all digits. */
    fields: Record<string, number | string | boolean | null>;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetRoomReadingsInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, unique in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m`, `now+30d` (units s, m, h, d, w: a day is 24 hours), or a local time in `timeZone`: a date such as `2026-11-20`, which means its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 366 days after `from`. By default now. */
  to?: string | undefined;
  /** The time zone of dates and local times: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Maximum number of elements. A page may have fewer elements and still a cursor. By default 100 on a page; unlimited in NDJSON and CSV. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
  /** names of fields, separated by commas; a name with a comma is quoted, as in CSV: returns only these fields, and no reading without any of them. Determines the columns of CSV. Without `fields`, CSV has one column for each field in the range, and the range is read twice; it must not exceed the limits of one request. */
  fields?: string | undefined;
  /** Oldest first, or newest first. */
  order?: ('asc' | 'desc') | undefined;
}

export type GetRoomReadingsOutput = {
  /** In order of time. */
  items: {
    device: string;
    time: string;
    /** Values by field name, as reported. Numbers keep all digits. */
    fields: Record<string, number | string | boolean | null>;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetPlaceReadingsInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m`, `now+30d` (units s, m, h, d, w: a day is 24 hours), or a local time in `timeZone`: a date such as `2026-11-20`, which means its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 366 days after `from`. By default now. */
  to?: string | undefined;
  /** The time zone of dates and local times: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Maximum number of elements. A page may have fewer elements and still a cursor. By default 100 on a page; unlimited in NDJSON and CSV. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
  /** names of fields, separated by commas; a name with a comma is quoted, as in CSV: returns only these fields, and no reading without any of them. Determines the columns of CSV. Without `fields`, CSV has one column for each field in the range, and the range is read twice; it must not exceed the limits of one request. */
  fields?: string | undefined;
  /** Oldest first, or newest first. */
  order?: ('asc' | 'desc') | undefined;
}

export type GetPlaceReadingsOutput = {
  /** In order of time. */
  items: {
    device: string;
    time: string;
    /** Values by field name, as reported. Numbers keep all digits. */
    fields: Record<string, number | string | boolean | null>;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetAggregatesInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m`, `now+30d` (units s, m, h, d, w: a day is 24 hours), or a local time in `timeZone`: a date such as `2026-11-20`, which means its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 3660 days after `from`. By default now. */
  to?: string | undefined;
  /** The time zone of buckets, dates and local times: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Maximum number of elements. A page may have fewer elements and still a cursor. By default 100 on a page; unlimited in NDJSON and CSV. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
  /** The width of a bucket, by default PT1H. Buckets begin at full seconds, minutes, hours, days, weeks, months, quarters (P3M), years of the time zone; the first bucket begins at `from`, and the last bucket ends at `to`. */
  every?:
    | (
        | 'PT1S'
        | 'PT2S'
        | 'PT5S'
        | 'PT10S'
        | 'PT15S'
        | 'PT20S'
        | 'PT30S'
        | 'PT1M'
        | 'PT2M'
        | 'PT5M'
        | 'PT10M'
        | 'PT15M'
        | 'PT20M'
        | 'PT30M'
        | 'PT1H'
        | 'PT2H'
        | 'PT3H'
        | 'PT4H'
        | 'PT6H'
        | 'PT8H'
        | 'PT12H'
        | 'P1D'
        | 'P1W'
        | 'P1M'
        | 'P3M'
        | 'P1Y'
      )
    | undefined;
  /** The first day of the weeks of P1W, by default monday (ISO 8601). */
  weekStart?: ('monday' | 'sunday') | undefined;
  /** Instead of `every`, for a chart: selects the smallest width (1, 2, 5, 10, 15, 30 minutes, 1, 2, 3, 6, 12 hours, a day, week, month, quarter, year) with at most this many buckets in the range. The response names the width, and has all buckets unless they exceed the limits of one request. */
  maxPoints?: number | undefined;
  /** Functions, separated by commas: count, sum, avg, min, max, first, last, increase, rate, timeWeightedMean, p50, p90, p95, p99, duration, share, changes. avg, rate and timeWeightedMean are the nearest double, percentiles are within 1 %, all others are exact. rate is the increase divided by the length of the bucket; an increase counts from the last value before the bucket, however old it is. In timeWeightedMean a value lasts until the next value, at most 24 hours and until now, also in buckets without a reading. duration, share and changes need `fields`, and are for values of any kind, such as true, false and texts: how long the field had each value, and how many times it changed. There a value lasts until the next one, without a limit, and until now. */
  fn?:
    | (
        | 'count'
        | 'sum'
        | 'avg'
        | 'min'
        | 'max'
        | 'first'
        | 'last'
        | 'increase'
        | 'rate'
        | 'timeWeightedMean'
        | 'p50'
        | 'p90'
        | 'p95'
        | 'p99'
        | 'duration'
        | 'share'
        | 'changes'
      )[]
    | undefined;
  /** names of fields, separated by commas; a name with a comma is quoted, as in CSV. By default all numeric fields. Determines the columns of CSV. Without `fields`, CSV has columns for each field in the range, and the range is read twice; it must not exceed the limits of one request. */
  fields?: string | undefined;
  /** The time unit of rate. For a counter of kWh, the rate per hour is kW. */
  per?: ('second' | 'minute' | 'hour') | undefined;
  /** The value of a field in a bucket without readings of it. `none` omits the field. All others need `fields`: `null`; `previous`, the value of the last bucket with a value; `linear`, interpolated between the previous and the next value; or a number. With `previous` and `linear`, sum, increase and rate are 0. count is 0 unless `fill` is a number. */
  fill?: string | undefined;
  /** For increase and rate: the value at which the counter overflows to 0, such as 1000000. A fall counts as an overflow if the resulting increase is less than a tenth of `wrapsAt`. */
  wrapsAt?: string | undefined;
  /** For increase and rate, the meaning of any other fall: the counter restarted at 0 (its new value counts), or at an unknown value, as after the replacement of a meter (its new value does not count). */
  reset?: ('zero' | 'unknown') | undefined;
}

export type GetAggregatesOutput = {
  /** The width of the buckets, also if `maxPoints` has selected it. */
  every:
    | 'PT1S'
    | 'PT2S'
    | 'PT5S'
    | 'PT10S'
    | 'PT15S'
    | 'PT20S'
    | 'PT30S'
    | 'PT1M'
    | 'PT2M'
    | 'PT5M'
    | 'PT10M'
    | 'PT15M'
    | 'PT20M'
    | 'PT30M'
    | 'PT1H'
    | 'PT2H'
    | 'PT3H'
    | 'PT4H'
    | 'PT6H'
    | 'PT8H'
    | 'PT12H'
    | 'P1D'
    | 'P1W'
    | 'P1M'
    | 'P3M'
    | 'P1Y';
  /** Why the buckets of this page have no values. `no-readings`: nothing was recorded. `unknown-field`: there are readings in these buckets, but none with the field: it may be misspelt. Absent in NDJSON and CSV. */
  notes?:
    | (
        | {
            code: 'no-readings';
            /** Of one device: the time of its newest reading before these buckets, if it has one. */
            lastReadingAt?: string | undefined;
          }
        | {
            code: 'unknown-field';
            field: string;
            /** Similar names of fields that have readings in these buckets. */
            similar?: string[] | undefined;
          }
      )[]
    | undefined;
  /** In order of time. */
  items: {
    from: string;
    to: string;
    /** `from` in local time of the time zone. */
    localFrom: string;
    /** Only fields that were reported; with timeWeightedMean also fields of which an earlier value lasts in the bucket, without other functions. */
    fields: Record<
      string,
      Partial<
        Record<
          | 'count'
          | 'sum'
          | 'avg'
          | 'min'
          | 'max'
          | 'first'
          | 'last'
          | 'increase'
          | 'rate'
          | 'timeWeightedMean'
          | 'p50'
          | 'p90'
          | 'p95'
          | 'p99',
          number | null
        >
      >
    >;
    /** Why a field is absent. `no-numbers`: it has values in the bucket, but none is a number (texts, true, false): how long it had each value is `fn=duration,changes`. For the requested fields; without `fields`, only in a bucket without any number. Absent without such fields, in CSV, and where the bucket comes from rollups that were stored by 0.2.0. */
    notes?:
      | {
          code: 'no-numbers';
          field: string;
        }[]
      | undefined;
    /** With duration, share or changes: the fields of which a value is known in the bucket. */
    states?:
      | Record<
          string,
          {
            /** With `fn=changes`: how many times a known value was followed by a different one. */
            changes?: number | undefined;
            /** The values that lasted in the bucket, the longest first. */
            values: {
              value: string | number | boolean;
              /** With `fn=duration`: seconds, to the millisecond. */
              duration?: number | undefined;
              /** With `fn=share`: the part of the time of which the value is known, from 0 to 1. */
              share?: number | undefined;
            }[];
            /** All further values together, where the field had more than 100 in the bucket (1,000 divided by the number of `fields`, at least 10), and texts of more than 256 characters. The first ones of the bucket are in `values`. */
            others?:
              | {
                  /** With `fn=duration`: seconds, to the millisecond. */
                  duration?: number | undefined;
                  /** With `fn=share`: the part of the time of which the value is known, from 0 to 1. */
                  share?: number | undefined;
                }
              | undefined;
          }
        >
      | undefined;
    /** Present, and true, if the bucket may lack expired readings (no rollup of their hour was computed before, or only a part of that hour is in the bucket), or if an older value that counts was not found. */
    incomplete?: true | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetRoomAggregatesInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, unique in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m`, `now+30d` (units s, m, h, d, w: a day is 24 hours), or a local time in `timeZone`: a date such as `2026-11-20`, which means its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 3660 days after `from`. By default now. */
  to?: string | undefined;
  /** The time zone of buckets, dates and local times: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Maximum number of elements. A page may have fewer elements and still a cursor. By default 100 on a page; unlimited in NDJSON and CSV. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
  /** The width of a bucket, by default PT1H. Buckets begin at full seconds, minutes, hours, days, weeks, months, quarters (P3M), years of the time zone; the first bucket begins at `from`, and the last bucket ends at `to`. */
  every?:
    | (
        | 'PT1S'
        | 'PT2S'
        | 'PT5S'
        | 'PT10S'
        | 'PT15S'
        | 'PT20S'
        | 'PT30S'
        | 'PT1M'
        | 'PT2M'
        | 'PT5M'
        | 'PT10M'
        | 'PT15M'
        | 'PT20M'
        | 'PT30M'
        | 'PT1H'
        | 'PT2H'
        | 'PT3H'
        | 'PT4H'
        | 'PT6H'
        | 'PT8H'
        | 'PT12H'
        | 'P1D'
        | 'P1W'
        | 'P1M'
        | 'P3M'
        | 'P1Y'
      )
    | undefined;
  /** The first day of the weeks of P1W, by default monday (ISO 8601). */
  weekStart?: ('monday' | 'sunday') | undefined;
  /** Instead of `every`, for a chart: selects the smallest width (1, 2, 5, 10, 15, 30 minutes, 1, 2, 3, 6, 12 hours, a day, week, month, quarter, year) with at most this many buckets in the range. The response names the width, and has all buckets unless they exceed the limits of one request. */
  maxPoints?: number | undefined;
  /** Functions, separated by commas: count, sum, avg, min, max, first, last, increase, rate, timeWeightedMean, p50, p90, p95, p99, duration, share, changes. avg, rate and timeWeightedMean are the nearest double, percentiles are within 1 %, all others are exact. rate is the increase divided by the length of the bucket; an increase counts from the last value before the bucket, however old it is. In timeWeightedMean a value lasts until the next value, at most 24 hours and until now, also in buckets without a reading. duration, share and changes need `fields`, and are for values of any kind, such as true, false and texts: how long the field had each value, and how many times it changed. There a value lasts until the next one, without a limit, and until now. */
  fn?:
    | (
        | 'count'
        | 'sum'
        | 'avg'
        | 'min'
        | 'max'
        | 'first'
        | 'last'
        | 'increase'
        | 'rate'
        | 'timeWeightedMean'
        | 'p50'
        | 'p90'
        | 'p95'
        | 'p99'
        | 'duration'
        | 'share'
        | 'changes'
      )[]
    | undefined;
  /** names of fields, separated by commas; a name with a comma is quoted, as in CSV. By default all numeric fields. Determines the columns of CSV. Without `fields`, CSV has columns for each field in the range, and the range is read twice; it must not exceed the limits of one request. */
  fields?: string | undefined;
  /** The time unit of rate. For a counter of kWh, the rate per hour is kW. */
  per?: ('second' | 'minute' | 'hour') | undefined;
  /** The value of a field in a bucket without readings of it. `none` omits the field. All others need `fields`: `null`; `previous`, the value of the last bucket with a value; `linear`, interpolated between the previous and the next value; or a number. With `previous` and `linear`, sum, increase and rate are 0. count is 0 unless `fill` is a number. */
  fill?: string | undefined;
  /** For increase and rate: the value at which the counter overflows to 0, such as 1000000. A fall counts as an overflow if the resulting increase is less than a tenth of `wrapsAt`. */
  wrapsAt?: string | undefined;
  /** For increase and rate, the meaning of any other fall: the counter restarted at 0 (its new value counts), or at an unknown value, as after the replacement of a meter (its new value does not count). */
  reset?: ('zero' | 'unknown') | undefined;
  /** Returns buckets per device instead of buckets over all devices. `limit` counts the buckets of all groups. */
  groupBy?: 'device' | undefined;
}

export type GetRoomAggregatesOutput = {
  /** The width of the buckets, also if `maxPoints` has selected it. */
  every:
    | 'PT1S'
    | 'PT2S'
    | 'PT5S'
    | 'PT10S'
    | 'PT15S'
    | 'PT20S'
    | 'PT30S'
    | 'PT1M'
    | 'PT2M'
    | 'PT5M'
    | 'PT10M'
    | 'PT15M'
    | 'PT20M'
    | 'PT30M'
    | 'PT1H'
    | 'PT2H'
    | 'PT3H'
    | 'PT4H'
    | 'PT6H'
    | 'PT8H'
    | 'PT12H'
    | 'P1D'
    | 'P1W'
    | 'P1M'
    | 'P3M'
    | 'P1Y';
  /** Why the buckets of this page have no values. `no-readings`: nothing was recorded. `unknown-field`: there are readings in these buckets, but none with the field: it may be misspelt. Absent in NDJSON and CSV. */
  notes?:
    | (
        | {
            code: 'no-readings';
            /** Of one device: the time of its newest reading before these buckets, if it has one. */
            lastReadingAt?: string | undefined;
          }
        | {
            code: 'unknown-field';
            field: string;
            /** Similar names of fields that have readings in these buckets. */
            similar?: string[] | undefined;
          }
      )[]
    | undefined;
  /** In order of time. */
  items: {
    /** With `groupBy=device`. */
    device?: string | undefined;
    from: string;
    to: string;
    /** `from` in local time of the time zone. */
    localFrom: string;
    /** Only fields that were reported; with timeWeightedMean also fields of which an earlier value lasts in the bucket, without other functions. */
    fields: Record<
      string,
      Partial<
        Record<
          | 'count'
          | 'sum'
          | 'avg'
          | 'min'
          | 'max'
          | 'first'
          | 'last'
          | 'increase'
          | 'rate'
          | 'timeWeightedMean'
          | 'p50'
          | 'p90'
          | 'p95'
          | 'p99',
          number | null
        >
      >
    >;
    /** Why a field is absent. `no-numbers`: it has values in the bucket, but none is a number (texts, true, false): how long it had each value is `fn=duration,changes`. For the requested fields; without `fields`, only in a bucket without any number. Absent without such fields, in CSV, and where the bucket comes from rollups that were stored by 0.2.0. */
    notes?:
      | {
          code: 'no-numbers';
          field: string;
        }[]
      | undefined;
    /** With duration, share or changes: the fields of which a value is known in the bucket. */
    states?:
      | Record<
          string,
          {
            /** With `fn=changes`: how many times a known value was followed by a different one. */
            changes?: number | undefined;
            /** The values that lasted in the bucket, the longest first. */
            values: {
              value: string | number | boolean;
              /** With `fn=duration`: seconds, to the millisecond. */
              duration?: number | undefined;
              /** With `fn=share`: the part of the time of which the value is known, from 0 to 1. */
              share?: number | undefined;
            }[];
            /** All further values together, where the field had more than 100 in the bucket (1,000 divided by the number of `fields`, at least 10), and texts of more than 256 characters. The first ones of the bucket are in `values`. */
            others?:
              | {
                  /** With `fn=duration`: seconds, to the millisecond. */
                  duration?: number | undefined;
                  /** With `fn=share`: the part of the time of which the value is known, from 0 to 1. */
                  share?: number | undefined;
                }
              | undefined;
          }
        >
      | undefined;
    /** Present, and true, if the bucket may lack expired readings (no rollup of their hour was computed before, or only a part of that hour is in the bucket), or if an older value that counts was not found. */
    incomplete?: true | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetPlaceAggregatesInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m`, `now+30d` (units s, m, h, d, w: a day is 24 hours), or a local time in `timeZone`: a date such as `2026-11-20`, which means its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 3660 days after `from`. By default now. */
  to?: string | undefined;
  /** The time zone of buckets, dates and local times: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Maximum number of elements. A page may have fewer elements and still a cursor. By default 100 on a page; unlimited in NDJSON and CSV. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
  /** The width of a bucket, by default PT1H. Buckets begin at full seconds, minutes, hours, days, weeks, months, quarters (P3M), years of the time zone; the first bucket begins at `from`, and the last bucket ends at `to`. */
  every?:
    | (
        | 'PT1S'
        | 'PT2S'
        | 'PT5S'
        | 'PT10S'
        | 'PT15S'
        | 'PT20S'
        | 'PT30S'
        | 'PT1M'
        | 'PT2M'
        | 'PT5M'
        | 'PT10M'
        | 'PT15M'
        | 'PT20M'
        | 'PT30M'
        | 'PT1H'
        | 'PT2H'
        | 'PT3H'
        | 'PT4H'
        | 'PT6H'
        | 'PT8H'
        | 'PT12H'
        | 'P1D'
        | 'P1W'
        | 'P1M'
        | 'P3M'
        | 'P1Y'
      )
    | undefined;
  /** The first day of the weeks of P1W, by default monday (ISO 8601). */
  weekStart?: ('monday' | 'sunday') | undefined;
  /** Instead of `every`, for a chart: selects the smallest width (1, 2, 5, 10, 15, 30 minutes, 1, 2, 3, 6, 12 hours, a day, week, month, quarter, year) with at most this many buckets in the range. The response names the width, and has all buckets unless they exceed the limits of one request. */
  maxPoints?: number | undefined;
  /** Functions, separated by commas: count, sum, avg, min, max, first, last, increase, rate, timeWeightedMean, p50, p90, p95, p99, duration, share, changes. avg, rate and timeWeightedMean are the nearest double, percentiles are within 1 %, all others are exact. rate is the increase divided by the length of the bucket; an increase counts from the last value before the bucket, however old it is. In timeWeightedMean a value lasts until the next value, at most 24 hours and until now, also in buckets without a reading. duration, share and changes need `fields`, and are for values of any kind, such as true, false and texts: how long the field had each value, and how many times it changed. There a value lasts until the next one, without a limit, and until now. */
  fn?:
    | (
        | 'count'
        | 'sum'
        | 'avg'
        | 'min'
        | 'max'
        | 'first'
        | 'last'
        | 'increase'
        | 'rate'
        | 'timeWeightedMean'
        | 'p50'
        | 'p90'
        | 'p95'
        | 'p99'
        | 'duration'
        | 'share'
        | 'changes'
      )[]
    | undefined;
  /** names of fields, separated by commas; a name with a comma is quoted, as in CSV. By default all numeric fields. Determines the columns of CSV. Without `fields`, CSV has columns for each field in the range, and the range is read twice; it must not exceed the limits of one request. */
  fields?: string | undefined;
  /** The time unit of rate. For a counter of kWh, the rate per hour is kW. */
  per?: ('second' | 'minute' | 'hour') | undefined;
  /** The value of a field in a bucket without readings of it. `none` omits the field. All others need `fields`: `null`; `previous`, the value of the last bucket with a value; `linear`, interpolated between the previous and the next value; or a number. With `previous` and `linear`, sum, increase and rate are 0. count is 0 unless `fill` is a number. */
  fill?: string | undefined;
  /** For increase and rate: the value at which the counter overflows to 0, such as 1000000. A fall counts as an overflow if the resulting increase is less than a tenth of `wrapsAt`. */
  wrapsAt?: string | undefined;
  /** For increase and rate, the meaning of any other fall: the counter restarted at 0 (its new value counts), or at an unknown value, as after the replacement of a meter (its new value does not count). */
  reset?: ('zero' | 'unknown') | undefined;
  /** Returns buckets per device or per room instead of buckets over all devices. Readings taken in no room have a group whose `room` is null. `limit` counts the buckets of all groups. */
  groupBy?: ('device' | 'room') | undefined;
}

export type GetPlaceAggregatesOutput = {
  /** The width of the buckets, also if `maxPoints` has selected it. */
  every:
    | 'PT1S'
    | 'PT2S'
    | 'PT5S'
    | 'PT10S'
    | 'PT15S'
    | 'PT20S'
    | 'PT30S'
    | 'PT1M'
    | 'PT2M'
    | 'PT5M'
    | 'PT10M'
    | 'PT15M'
    | 'PT20M'
    | 'PT30M'
    | 'PT1H'
    | 'PT2H'
    | 'PT3H'
    | 'PT4H'
    | 'PT6H'
    | 'PT8H'
    | 'PT12H'
    | 'P1D'
    | 'P1W'
    | 'P1M'
    | 'P3M'
    | 'P1Y';
  /** Why the buckets of this page have no values. `no-readings`: nothing was recorded. `unknown-field`: there are readings in these buckets, but none with the field: it may be misspelt. Absent in NDJSON and CSV. */
  notes?:
    | (
        | {
            code: 'no-readings';
            /** Of one device: the time of its newest reading before these buckets, if it has one. */
            lastReadingAt?: string | undefined;
          }
        | {
            code: 'unknown-field';
            field: string;
            /** Similar names of fields that have readings in these buckets. */
            similar?: string[] | undefined;
          }
      )[]
    | undefined;
  /** In order of time. */
  items: {
    /** With `groupBy=device`. */
    device?: string | undefined;
    /** With `groupBy=room`; null for readings taken in no room. */
    room?: (string | null) | undefined;
    from: string;
    to: string;
    /** `from` in local time of the time zone. */
    localFrom: string;
    /** Only fields that were reported; with timeWeightedMean also fields of which an earlier value lasts in the bucket, without other functions. */
    fields: Record<
      string,
      Partial<
        Record<
          | 'count'
          | 'sum'
          | 'avg'
          | 'min'
          | 'max'
          | 'first'
          | 'last'
          | 'increase'
          | 'rate'
          | 'timeWeightedMean'
          | 'p50'
          | 'p90'
          | 'p95'
          | 'p99',
          number | null
        >
      >
    >;
    /** Why a field is absent. `no-numbers`: it has values in the bucket, but none is a number (texts, true, false): how long it had each value is `fn=duration,changes`. For the requested fields; without `fields`, only in a bucket without any number. Absent without such fields, in CSV, and where the bucket comes from rollups that were stored by 0.2.0. */
    notes?:
      | {
          code: 'no-numbers';
          field: string;
        }[]
      | undefined;
    /** With duration, share or changes: the fields of which a value is known in the bucket. */
    states?:
      | Record<
          string,
          {
            /** With `fn=changes`: how many times a known value was followed by a different one. */
            changes?: number | undefined;
            /** The values that lasted in the bucket, the longest first. */
            values: {
              value: string | number | boolean;
              /** With `fn=duration`: seconds, to the millisecond. */
              duration?: number | undefined;
              /** With `fn=share`: the part of the time of which the value is known, from 0 to 1. */
              share?: number | undefined;
            }[];
            /** All further values together, where the field had more than 100 in the bucket (1,000 divided by the number of `fields`, at least 10), and texts of more than 256 characters. The first ones of the bucket are in `values`. */
            others?:
              | {
                  /** With `fn=duration`: seconds, to the millisecond. */
                  duration?: number | undefined;
                  /** With `fn=share`: the part of the time of which the value is known, from 0 to 1. */
                  share?: number | undefined;
                }
              | undefined;
          }
        >
      | undefined;
    /** Present, and true, if the bucket may lack expired readings (no rollup of their hour was computed before, or only a part of that hour is in the bucket), or if an older value that counts was not found. */
    incomplete?: true | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetTableFamiliesInput {}

export type GetTableFamiliesOutput = {
  items: {
    name: KeyFamily;
    index: 'table' | 'gsi1' | 'gsi2';
    /** The form of the partition key: `<…>` is an id, a time or another part that differs, `<…s>…` several of them, `[…]` is absent in some keys. */
    pk: string;
    /** The form of the sort key. */
    sk: string;
    /** The kinds of its items. */
    kinds: (
      | 'device'
      | 'block'
      | 'parkedBlock'
      | 'rollup'
      | 'correction'
      | 'correctionRow'
      | 'place'
      | 'room'
      | 'placement'
      | 'membership'
      | 'purgeJob'
      | 'deadLetter'
      | 'deadLettersSpread'
      | 'deadLetterDelivery'
      | 'birth'
      | 'session'
      | 'shardMap'
      | 'entityType'
      | 'entityTypesMark'
      | 'entity'
      | 'relation'
      | 'attributeRow'
      | 'textRow'
      | 'leftOutRow'
      | 'expiryRow'
      | 'uniqueValue'
      | 'catalogTask'
    )[];
    meaning: string;
    writtenBy: ('ingestion' | 'registry' | 'query' | 'catalog')[];
    /** Whether its items have all attributes; `gsi1` has only some of them. */
    isComplete: boolean;
  }[];
};

export interface GetTableItemsInput {
  /** The table, or one of its indexes. */
  index?: ('table' | 'gsi1' | 'gsi2') | undefined;
  /** The partition key, as it is stored: with the escapes of the key grammar. */
  pk: string;
  /** The whole sort key; in an index several items can have it. */
  sk?: string | undefined;
  /** The beginning of the sort key. */
  skPrefix?: string | undefined;
  /** The first sort key, inclusive, in the order of bytes. */
  skFrom?: string | undefined;
  /** The last sort key, inclusive, in the order of bytes. */
  skTo?: string | undefined;
  /** The order of the sort keys. */
  order?: ('asc' | 'desc') | undefined;
  /** Maximum number of items; a page has at most 100. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** `true` returns the price only, and sends no request to DynamoDB. */
  dryRun?: boolean | undefined;
}

export type GetTableItemsOutput = {
  /** In the order of the sort keys; none for a dry run. */
  items: {
    /** The key of the table and the keys of the item's indexes, as far as the index has them. */
    key: {
      pk: string;
      sk: string;
      gsi1pk?: string | undefined;
      gsi1sk?: string | undefined;
      gsi2pk?: string | undefined;
      gsi2sk?: string | undefined;
    };
    /** By the key; `unknown` for a key that no service of Engawa writes. */
    kind:
      | 'device'
      | 'block'
      | 'parkedBlock'
      | 'rollup'
      | 'correction'
      | 'correctionRow'
      | 'place'
      | 'room'
      | 'placement'
      | 'membership'
      | 'purgeJob'
      | 'deadLetter'
      | 'deadLettersSpread'
      | 'deadLetterDelivery'
      | 'birth'
      | 'session'
      | 'shardMap'
      | 'entityType'
      | 'entityTypesMark'
      | 'entity'
      | 'relation'
      | 'attributeRow'
      | 'textRow'
      | 'leftOutRow'
      | 'expiryRow'
      | 'uniqueValue'
      | 'catalogTask'
      | 'unknown';
    /** Size as DynamoDB counts it; in an index that of the projected attributes. */
    bytes: number;
    /** The attributes in DynamoDB's JSON: `{ "N": "21.5" }`; bytes in base64. */
    attributes: Record<string, Record<string, unknown>>;
    decoded: {
      /** The segments of the key by their meaning; times in epoch milliseconds. */
      key?: Record<string, unknown> | undefined;
      /** The readings of a block, a parked block or a correction, oldest first. */
      readings?:
        | {
            time: string;
            /** Values by field name, as reported. Numbers keep all digits. */
            fields: Record<string, number | string | boolean | null>;
          }[]
        | undefined;
      /** All other attributes as JSON: numbers with all digits, bytes in base64. */
      values?: Record<string, unknown> | undefined;
      /** Why the item could not be decoded. */
      error?: string | undefined;
    };
  }[];
  /** Cursor of the next page; absent on the last page. */
  cursor?: string | undefined;
  /** The names of the key families (`/v1/table/families`) of the partition key. */
  families: KeyFamily[];
  projection: {
    /** Whether the items have all of their attributes. */
    isComplete: boolean;
    /** The attributes that the index has. */
    attributes?: string[] | undefined;
    note?: string | undefined;
  };
  price: {
    /** An upper bound of the read units of the page. */
    estimatedUnits: number;
    /** How the bound is computed. */
    why: string;
    /** `why` for programs, such as translations: whether the size of a page or that of its items bounds the price. Absent in responses of older versions. */
    whyCode?:
      | {
          code: 'bounded-by-page' | 'bounded-by-items';
          values: {
            /** Maximum number of items of the page. */
            items: number;
            estimatedUnits: number;
            /** Read units of the page with 1 KB per item. */
            usualUnits: number;
            maxItemBytes: number;
            maxPageBytes: number;
          };
        }
      | undefined;
  };
  consumed: {
    /** Read units. */
    units: number;
    /** Queries; 0 for a dry run. */
    requests: number;
    /** Whether DynamoDB reported the units; otherwise they are estimated by size. */
    isReported: boolean;
  };
};

export const queryOperations = {
  /**
   * A device and its latest readings.
   *
   * A reading that is more than a minute ahead of its receipt counts as one of the time of its receipt, which takes up to five further Queries. For a device whose partition key is hot (`/v1/hot-partitions`), the response may be up to a second old.
   */
  getLatest: operation<GetLatestInput, GetLatestOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/latest',
    query: ['limit'],
  }),
  /**
   * Several devices and their latest readings.
   *
   * A reading that is more than a minute ahead of its receipt counts as one of the time of its receipt, which takes up to five further Queries. For a device whose partition key is hot (`/v1/hot-partitions`), the response may be up to a second old.
   */
  getLatestOfMany: operation<GetLatestOfManyInput, GetLatestOfManyOutput>({
    method: 'GET',
    path: '/v1/latest',
    query: ['device', 'readings', 'limit', 'cursor'],
  }),
  /**
   * The devices in a room now and their latest readings.
   *
   * Includes readings from before a device came there. A reading that is more than a minute ahead of its receipt counts as one of the time of its receipt, which takes up to five further Queries. For a device whose partition key is hot (`/v1/hot-partitions`), the response may be up to a second old.
   */
  getRoomLatest: operation<GetRoomLatestInput, GetRoomLatestOutput>({
    method: 'GET',
    path: '/v1/rooms/{place}/{room}/latest',
    query: ['readings', 'limit', 'cursor'],
  }),
  /**
   * The devices at a place now and their latest readings.
   *
   * Includes readings from before a device came there. A reading that is more than a minute ahead of its receipt counts as one of the time of its receipt, which takes up to five further Queries. For a device whose partition key is hot (`/v1/hot-partitions`), the response may be up to a second old.
   */
  getPlaceLatest: operation<GetPlaceLatestInput, GetPlaceLatestOutput>({
    method: 'GET',
    path: '/v1/places/{id}/latest',
    query: ['readings', 'limit', 'cursor'],
  }),
  /**
   * The fields of a device, each with its last value.
   *
   * Includes fields that the newest reading lacks, such as a battery level that is reported once a day. Costs one Query per device, and one for each further 1,000 readings. Values of readings that are more than a minute ahead of their receipt count as of the time of their receipt. One more Query finds the first report of each field.
   */
  getFields: operation<GetFieldsInput, GetFieldsOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/fields',
    query: ['from', 'at', 'timeZone', 'fields', 'limit', 'cursor'],
  }),
  /**
   * The devices in a room now, or at a time, each with the last values of its fields.
   *
   * Includes fields that the newest reading lacks, such as a battery level that is reported once a day. Costs one Query per device, and one for each further 1,000 readings. Values of readings that are more than a minute ahead of their receipt count as of the time of their receipt.
   */
  getRoomFields: operation<GetRoomFieldsInput, GetRoomFieldsOutput>({
    method: 'GET',
    path: '/v1/rooms/{place}/{room}/fields',
    query: ['from', 'at', 'timeZone', 'fields', 'limit', 'cursor'],
  }),
  /**
   * The devices at a place now, or at a time, each with the last values of its fields.
   *
   * Includes fields that the newest reading lacks, such as a battery level that is reported once a day. Costs one Query per device, and one for each further 1,000 readings. Values of readings that are more than a minute ahead of their receipt count as of the time of their receipt.
   */
  getPlaceFields: operation<GetPlaceFieldsInput, GetPlaceFieldsOutput>({
    method: 'GET',
    path: '/v1/places/{id}/fields',
    query: ['from', 'at', 'timeZone', 'fields', 'limit', 'cursor'],
  }),
  /** The readings of a device in a range of time. */
  getReadings: operation<GetReadingsInput, GetReadingsOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/readings',
    query: ['from', 'to', 'timeZone', 'limit', 'cursor', 'resumable', 'fields', 'order'],
  }),
  /** The readings taken in a room, including those of devices that have moved away. */
  getRoomReadings: operation<GetRoomReadingsInput, GetRoomReadingsOutput>({
    method: 'GET',
    path: '/v1/rooms/{place}/{room}/readings',
    query: ['from', 'to', 'timeZone', 'limit', 'cursor', 'resumable', 'fields', 'order'],
  }),
  /** The readings taken at a place, including those of devices that have moved away. */
  getPlaceReadings: operation<GetPlaceReadingsInput, GetPlaceReadingsOutput>({
    method: 'GET',
    path: '/v1/places/{id}/readings',
    query: ['from', 'to', 'timeZone', 'limit', 'cursor', 'resumable', 'fields', 'order'],
  }),
  /** Aggregates of the readings of a device, by the hour, day, …. */
  getAggregates: operation<GetAggregatesInput, GetAggregatesOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/aggregates',
    query: [
      'from',
      'to',
      'timeZone',
      'limit',
      'cursor',
      'resumable',
      'every',
      'weekStart',
      'maxPoints',
      'fn',
      'fields',
      'per',
      'fill',
      'wrapsAt',
      'reset',
    ],
    commas: ['fn'],
  }),
  /** Aggregates of the readings taken in a room, including those of devices that have moved away. */
  getRoomAggregates: operation<GetRoomAggregatesInput, GetRoomAggregatesOutput>({
    method: 'GET',
    path: '/v1/rooms/{place}/{room}/aggregates',
    query: [
      'from',
      'to',
      'timeZone',
      'limit',
      'cursor',
      'resumable',
      'every',
      'weekStart',
      'maxPoints',
      'fn',
      'fields',
      'per',
      'fill',
      'wrapsAt',
      'reset',
      'groupBy',
    ],
    commas: ['fn'],
  }),
  /** Aggregates of the readings taken at a place, including those of devices that have moved away. */
  getPlaceAggregates: operation<GetPlaceAggregatesInput, GetPlaceAggregatesOutput>({
    method: 'GET',
    path: '/v1/places/{id}/aggregates',
    query: [
      'from',
      'to',
      'timeZone',
      'limit',
      'cursor',
      'resumable',
      'every',
      'weekStart',
      'maxPoints',
      'fn',
      'fields',
      'per',
      'fill',
      'wrapsAt',
      'reset',
      'groupBy',
    ],
    commas: ['fn'],
  }),
  /**
   * The key families of the table and its indexes.
   *
   * The forms of all keys, with the kinds of their items and their meaning. The forms are made by the functions that build the keys. Needs no request to DynamoDB.
   */
  getTableFamilies: operation<GetTableFamiliesInput, GetTableFamiliesOutput>({
    method: 'GET',
    path: '/v1/table/families',
    query: [],
  }),
  /**
   * The items of one partition of the table or of an index.
   *
   * For people who know DynamoDB: items of every kind by partition key, raw and decoded, with the price of the request. One Query, eventually consistent, and never a Scan. Nothing is written. Needs a token with the scope `query:table` that is not restricted to places, since a partition can contain data of all services and of any place.
   */
  getTableItems: operation<GetTableItemsInput, GetTableItemsOutput>({
    method: 'GET',
    path: '/v1/table/items',
    query: [
      'index',
      'pk',
      'sk',
      'skPrefix',
      'skFrom',
      'skTo',
      'order',
      'limit',
      'cursor',
      'dryRun',
    ],
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
