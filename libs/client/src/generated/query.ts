// Written by `npm run reference` from the OpenAPI document of the service: change its routes, not this.
import { operation } from '../http/operation.ts';

export type Throttling = {
  /** `table`, or the name of the index: the part that is hot. */
  index: string;
  /** Whether reads or writes are counted. */
  unit: 'read' | 'write';
  /** What was run into; see `throttlesPerSecond`. */
  scope: 'key_range' | 'table' | 'account' | 'on_demand_maximum' | 'other';
  /** DynamoDB’s word for it, such as `TableWriteKeyRangeThroughputExceeded`; `unknown` where it gave none. */
  reason: string;
  /** How often a second, whatever the key. */
  perSecond: number;
  /** What to do about this reason. */
  advice: string;
};

export type HotPartition = {
  /** `table`, or the name of the index: the part that is hot. */
  index: string;
  /** Whether reads or writes are counted. */
  unit: 'read' | 'write';
  /** The partition key, as it is, with hashes in place of ids, or by its family alone: `keys` says which. */
  partition: string;
  /** What it is a key of, such as `device`; absent where an older version told. */
  kind?: string | undefined;
  /** What it is one of several keys of, such as `LIST#DEVICE`; absent where it cannot be spread. */
  family?: string | undefined;
  /** How many keys that family has now; absent where this process does not know. */
  shards?: number | undefined;
  /** Capacity units consumed a second; never too few. */
  unitsPerSecond: number;
  /** Units a second by which `unitsPerSecond` may be too many. */
  uncertainty: number;
  /** `unitsPerSecond` as a share of what one partition takes (`limits`): at 1 there is no more to be had. */
  utilization: number;
  /** Items and questions a second that came back throttled, by what they ran into; those that there were none of are left out. `key_range` is this key, `table` what the table or index is provisioned for, `account` a quota of the account, `on_demand_maximum` a setting of the table or index, `other` what DynamoDB gave no reason for. */
  throttlesPerSecond: {
    key_range?: number | undefined;
    table?: number | undefined;
    account?: number | undefined;
    on_demand_maximum?: number | undefined;
    other?: number | undefined;
  };
  /** Capacity units a second that other processes use of the same key, as they told this one lately; absent where none has told, and in a merged report, which adds up all of them. */
  othersUnitsPerSecond?: number | undefined;
  /** Since when it is hot; absent while it is not. */
  hotSince?: string | undefined;
  /** What to do, the most important first; empty where nothing has to be done. */
  advice: string[];
  /** What it is a key of, in words. */
  description: string;
  /** The services that write under this key. */
  writtenBy: string;
  /** How much it is used and why it is throttled, in words. */
  reason: string;
};

export interface GetLatestInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** How many readings to give at most. */
  limit?: number | undefined;
}

export type GetLatestOutput = {
  device: {
    id: string;
    name: string;
    kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
    /** Pending: its readings are hidden until it is approved. */
    status: 'active' | 'pending';
    /** When it was last heard of; kept up to date within an hour. */
    lastSeenAt: string;
  };
  /** The newest first. */
  readings: {
    time: string;
    /** By name, as the device reported them; numbers keep every digit. */
    fields: Record<string, number | string | boolean | null>;
  }[];
  /** There, and true, where the device may have more readings than these: so much of what is newest has expired that looking further would have cost more than a request may. Its readings come page by page, with a cursor. */
  incomplete?: true | undefined;
};

export interface GetLatestOfManyInput {
  /** The ids of the devices, at most 100: `device=a&device=b`. */
  device: string[];
  /** How many readings of each device to give at most. */
  readings?: number | undefined;
  /** How many devices to give at most. A page has no more than 100, may hold fewer and still have a next one. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
}

export type GetLatestOfManyOutput = {
  /** Each with its readings, the newest first. */
  items: {
    device: {
      id: string;
      name: string;
      kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
      /** Pending: its readings are hidden until it is approved. */
      status: 'active' | 'pending';
      /** When it was last heard of; kept up to date within an hour. */
      lastSeenAt: string;
    };
    /** The newest first. */
    readings: {
      time: string;
      /** By name, as the device reported them; numbers keep every digit. */
      fields: Record<string, number | string | boolean | null>;
    }[];
    /** There, and true, where the device may have more readings than these: so much of what is newest has expired that looking further would have cost more than a request may. Its readings come page by page, with a cursor. */
    incomplete?: true | undefined;
  }[];
  /** Those of the ids that no device has. */
  missing: string[];
  /** Gives the next devices, also where this page is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetRoomLatestInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, its own in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** How many readings of each device to give at most. */
  readings?: number | undefined;
  /** How many devices to give at most. A page has no more than 100, may hold fewer and still have a next one. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
}

export type GetRoomLatestOutput = {
  /** Each with its readings, the newest first. */
  items: {
    device: {
      id: string;
      name: string;
      kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
      /** Pending: its readings are hidden until it is approved. */
      status: 'active' | 'pending';
      /** When it was last heard of; kept up to date within an hour. */
      lastSeenAt: string;
    };
    /** The newest first. */
    readings: {
      time: string;
      /** By name, as the device reported them; numbers keep every digit. */
      fields: Record<string, number | string | boolean | null>;
    }[];
    /** There, and true, where the device may have more readings than these: so much of what is newest has expired that looking further would have cost more than a request may. Its readings come page by page, with a cursor. */
    incomplete?: true | undefined;
  }[];
  /** Gives the next devices, also where this page is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetPlaceLatestInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** How many readings of each device to give at most. */
  readings?: number | undefined;
  /** How many devices to give at most. A page has no more than 100, may hold fewer and still have a next one. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
}

export type GetPlaceLatestOutput = {
  /** Each with its readings, the newest first. */
  items: {
    device: {
      id: string;
      name: string;
      kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
      /** Pending: its readings are hidden until it is approved. */
      status: 'active' | 'pending';
      /** When it was last heard of; kept up to date within an hour. */
      lastSeenAt: string;
    };
    /** The newest first. */
    readings: {
      time: string;
      /** By name, as the device reported them; numbers keep every digit. */
      fields: Record<string, number | string | boolean | null>;
    }[];
    /** There, and true, where the device may have more readings than these: so much of what is newest has expired that looking further would have cost more than a request may. Its readings come page by page, with a cursor. */
    incomplete?: true | undefined;
  }[];
  /** Gives the next devices, also where this page is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetFieldsInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Looks for readings back to this time, which is the price: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m` (units s, m, h, d, w: a day is 24 hours), or by the clocks of `timeZone`: a date such as `2026-11-20`, which is its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours ago. */
  from?: string | undefined;
  /** By whose clocks a date or a local time in `from` is: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Names of fields, separated by commas: gives only these, and looks no further back once it has them all. */
  fields?: string | undefined;
}

export type GetFieldsOutput = {
  device: {
    id: string;
    name: string;
    kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
    /** Pending: its readings are hidden until it is approved. */
    status: 'active' | 'pending';
    /** When it was last heard of; kept up to date within an hour. */
    lastSeenAt: string;
  };
  /** Readings from this time on were looked at: a field that is missing has none since. */
  since: string;
  fields: {
    name: string;
    /** Of the last value; `null` where that is null. */
    kind: 'number' | 'text' | 'boolean' | 'null';
    /** Of well-known names, such as `temperature`. */
    unit?: string | undefined;
    /** The last one; a number keeps every digit. */
    value: number | string | boolean | null;
    /** When it was last reported. */
    time: string;
    /** When it was first reported, as far as readings are kept; absent where none of the oldest 100 has it. */
    firstSeenAt?: string | undefined;
  }[];
};

export interface GetRoomFieldsInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, its own in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** Looks for readings back to this time, which is the price: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m` (units s, m, h, d, w: a day is 24 hours), or by the clocks of `timeZone`: a date such as `2026-11-20`, which is its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours ago. */
  from?: string | undefined;
  /** By whose clocks a date or a local time in `from` is: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Names of fields, separated by commas: gives only these, and looks no further back once it has them all. */
  fields?: string | undefined;
  /** How many devices to give at most. A page has no more than 100, may hold fewer and still have a next one. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
}

export type GetRoomFieldsOutput = {
  items: {
    device: {
      id: string;
      name: string;
      kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
      /** Pending: its readings are hidden until it is approved. */
      status: 'active' | 'pending';
      /** When it was last heard of; kept up to date within an hour. */
      lastSeenAt: string;
    };
    /** Readings from this time on were looked at: a field that is missing has none since. */
    since: string;
    /** By name, each with its last value. */
    fields: {
      name: string;
      /** Of the last value; `null` where that is null. */
      kind: 'number' | 'text' | 'boolean' | 'null';
      /** Of well-known names, such as `temperature`. */
      unit?: string | undefined;
      /** The last one; a number keeps every digit. */
      value: number | string | boolean | null;
      /** When it was last reported. */
      time: string;
    }[];
  }[];
  /** Gives the next devices, also where this page is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetPlaceFieldsInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Looks for readings back to this time, which is the price: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m` (units s, m, h, d, w: a day is 24 hours), or by the clocks of `timeZone`: a date such as `2026-11-20`, which is its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours ago. */
  from?: string | undefined;
  /** By whose clocks a date or a local time in `from` is: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** Names of fields, separated by commas: gives only these, and looks no further back once it has them all. */
  fields?: string | undefined;
  /** How many devices to give at most. A page has no more than 100, may hold fewer and still have a next one. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
}

export type GetPlaceFieldsOutput = {
  items: {
    device: {
      id: string;
      name: string;
      kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
      /** Pending: its readings are hidden until it is approved. */
      status: 'active' | 'pending';
      /** When it was last heard of; kept up to date within an hour. */
      lastSeenAt: string;
    };
    /** Readings from this time on were looked at: a field that is missing has none since. */
    since: string;
    /** By name, each with its last value. */
    fields: {
      name: string;
      /** Of the last value; `null` where that is null. */
      kind: 'number' | 'text' | 'boolean' | 'null';
      /** Of well-known names, such as `temperature`. */
      unit?: string | undefined;
      /** The last one; a number keeps every digit. */
      value: number | string | boolean | null;
      /** When it was last reported. */
      time: string;
    }[];
  }[];
  /** Gives the next devices, also where this page is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetReadingsInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m` (units s, m, h, d, w: a day is 24 hours), or by the clocks of `timeZone`: a date such as `2026-11-20`, which is its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 366 days after `from`. By default now. */
  to?: string | undefined;
  /** By whose clocks dates and local times are: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
  /** names of fields, separated by commas; one with a comma in quotes, as in CSV: gives only these, and no reading without any of them. The columns of CSV; without it, CSV has one for each field in the range, which is read twice then. */
  fields?: string | undefined;
  /** Oldest first, or newest first. */
  order?: ('asc' | 'desc') | undefined;
}

export type GetReadingsOutput = {
  /** In order of time. */
  items: {
    time: string;
    /** By name, as the device reported them; numbers keep every digit. */
    fields: Record<string, number | string | boolean | null>;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetRoomReadingsInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, its own in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m` (units s, m, h, d, w: a day is 24 hours), or by the clocks of `timeZone`: a date such as `2026-11-20`, which is its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 366 days after `from`. By default now. */
  to?: string | undefined;
  /** By whose clocks dates and local times are: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
  /** names of fields, separated by commas; one with a comma in quotes, as in CSV: gives only these, and no reading without any of them. The columns of CSV; without it, CSV has one for each field in the range, which is read twice then. */
  fields?: string | undefined;
  /** Oldest first, or newest first. */
  order?: ('asc' | 'desc') | undefined;
}

export type GetRoomReadingsOutput = {
  /** In order of time. */
  items: {
    device: string;
    time: string;
    /** By name, as the device reported them; numbers keep every digit. */
    fields: Record<string, number | string | boolean | null>;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetPlaceReadingsInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m` (units s, m, h, d, w: a day is 24 hours), or by the clocks of `timeZone`: a date such as `2026-11-20`, which is its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 366 days after `from`. By default now. */
  to?: string | undefined;
  /** By whose clocks dates and local times are: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
  /** names of fields, separated by commas; one with a comma in quotes, as in CSV: gives only these, and no reading without any of them. The columns of CSV; without it, CSV has one for each field in the range, which is read twice then. */
  fields?: string | undefined;
  /** Oldest first, or newest first. */
  order?: ('asc' | 'desc') | undefined;
}

export type GetPlaceReadingsOutput = {
  /** In order of time. */
  items: {
    device: string;
    time: string;
    /** By name, as the device reported them; numbers keep every digit. */
    fields: Record<string, number | string | boolean | null>;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetAggregatesInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m` (units s, m, h, d, w: a day is 24 hours), or by the clocks of `timeZone`: a date such as `2026-11-20`, which is its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 366 days after `from`. By default now. */
  to?: string | undefined;
  /** By whose clocks buckets begin, and dates and local times are: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
  /** How wide a bucket is, by default PT1H. Buckets begin at full hours, days, Mondays, months, … of the time zone; the first and the last one are cut off at `from` and `to`. */
  every?:
    | (
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
        | 'P1Y'
      )
    | undefined;
  /** In place of `every`, for a chart: the smallest step (1, 2, 5, 10, 15, 30 minutes, 1, 2, 3, 6, 12 hours, a day, week, month, year) of which the range has at most so many buckets. The answer says which, and has all buckets unless they cost more than a request may. */
  maxPoints?: number | undefined;
  /** What to work out, separated by commas: count, sum, avg, min, max, first, last, increase, rate, timeWeightedMean, p50, p90, p95, p99. All but the quotients (avg, rate, timeWeightedMean) are exact to the digit, and these are the nearest double. rate is increase by the length of the bucket; in timeWeightedMean a value holds until the next one, at most 24 hours. */
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
      )[]
    | undefined;
  /** names of fields, separated by commas; one with a comma in quotes, as in CSV. By default all that are numbers. The columns of CSV; without it, CSV has those of each field in the range, which is read twice then. */
  fields?: string | undefined;
  /** For rate: what it is per. Of a counter of kWh, the rate per hour is kW. */
  per?: ('second' | 'minute' | 'hour') | undefined;
  /** What a bucket without a value of a field says: `none` leaves the field out. The others need `fields`: `null`; `previous`, the value of the last bucket before it in the range; `linear`, the line between that and the next one; or a number. With `previous` and `linear`, sum, increase and rate are 0; count is 0 but for a number. */
  fill?: string | undefined;
  /** For increase and rate: the value at which the counter goes back to 0, such as 1000000. A fall that is less than a tenth of it the other way round counts as that. */
  wrapsAt?: string | undefined;
  /** For increase and rate, what any other fall means: the counter began again at 0 (its new value counts), or at an unknown value, as that of a meter that was replaced may (it counts for nothing). */
  reset?: ('zero' | 'unknown') | undefined;
}

export type GetAggregatesOutput = {
  /** How wide the buckets are, also where `maxPoints` decided. */
  every:
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
    | 'P1Y';
  /** In order of time. */
  items: {
    from: string;
    to: string;
    /** `from` by the clocks of the time zone. */
    localFrom: string;
    /** Without the fields that nothing was reported for. */
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
    /** There, and true, where the bucket may lack readings: they may have expired before a rollup of their hour was made, or only a part of that hour is in the bucket. */
    incomplete?: true | undefined;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetRoomAggregatesInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, its own in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m` (units s, m, h, d, w: a day is 24 hours), or by the clocks of `timeZone`: a date such as `2026-11-20`, which is its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 366 days after `from`. By default now. */
  to?: string | undefined;
  /** By whose clocks buckets begin, and dates and local times are: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
  /** How wide a bucket is, by default PT1H. Buckets begin at full hours, days, Mondays, months, … of the time zone; the first and the last one are cut off at `from` and `to`. */
  every?:
    | (
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
        | 'P1Y'
      )
    | undefined;
  /** In place of `every`, for a chart: the smallest step (1, 2, 5, 10, 15, 30 minutes, 1, 2, 3, 6, 12 hours, a day, week, month, year) of which the range has at most so many buckets. The answer says which, and has all buckets unless they cost more than a request may. */
  maxPoints?: number | undefined;
  /** What to work out, separated by commas: count, sum, avg, min, max, first, last, increase, rate, timeWeightedMean, p50, p90, p95, p99. All but the quotients (avg, rate, timeWeightedMean) are exact to the digit, and these are the nearest double. rate is increase by the length of the bucket; in timeWeightedMean a value holds until the next one, at most 24 hours. */
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
      )[]
    | undefined;
  /** names of fields, separated by commas; one with a comma in quotes, as in CSV. By default all that are numbers. The columns of CSV; without it, CSV has those of each field in the range, which is read twice then. */
  fields?: string | undefined;
  /** For rate: what it is per. Of a counter of kWh, the rate per hour is kW. */
  per?: ('second' | 'minute' | 'hour') | undefined;
  /** What a bucket without a value of a field says: `none` leaves the field out. The others need `fields`: `null`; `previous`, the value of the last bucket before it in the range; `linear`, the line between that and the next one; or a number. With `previous` and `linear`, sum, increase and rate are 0; count is 0 but for a number. */
  fill?: string | undefined;
  /** For increase and rate: the value at which the counter goes back to 0, such as 1000000. A fall that is less than a tenth of it the other way round counts as that. */
  wrapsAt?: string | undefined;
  /** For increase and rate, what any other fall means: the counter began again at 0 (its new value counts), or at an unknown value, as that of a meter that was replaced may (it counts for nothing). */
  reset?: ('zero' | 'unknown') | undefined;
  /** Buckets for each device that was there, in place of those of all of them. `limit` counts the buckets of all groups. */
  groupBy?: 'device' | undefined;
}

export type GetRoomAggregatesOutput = {
  /** How wide the buckets are, also where `maxPoints` decided. */
  every:
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
    | 'P1Y';
  /** In order of time. */
  items: {
    /** With `groupBy=device`. */
    device?: string | undefined;
    from: string;
    to: string;
    /** `from` by the clocks of the time zone. */
    localFrom: string;
    /** Without the fields that nothing was reported for. */
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
    /** There, and true, where the bucket may lack readings: they may have expired before a rollup of their hour was made, or only a part of that hour is in the bucket. */
    incomplete?: true | undefined;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetPlaceAggregatesInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Readings from this time on: ISO 8601 with an offset, epoch seconds or milliseconds, `now`, `now-15m` (units s, m, h, d, w: a day is 24 hours), or by the clocks of `timeZone`: a date such as `2026-11-20`, which is its midnight, or a date and time such as `2026-11-20T08:30`. By default 24 hours before `to`. */
  from?: string | undefined;
  /** Readings before this time, in the same forms, at most 366 days after `from`. By default now. */
  to?: string | undefined;
  /** By whose clocks buckets begin, and dates and local times are: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
  /** How wide a bucket is, by default PT1H. Buckets begin at full hours, days, Mondays, months, … of the time zone; the first and the last one are cut off at `from` and `to`. */
  every?:
    | (
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
        | 'P1Y'
      )
    | undefined;
  /** In place of `every`, for a chart: the smallest step (1, 2, 5, 10, 15, 30 minutes, 1, 2, 3, 6, 12 hours, a day, week, month, year) of which the range has at most so many buckets. The answer says which, and has all buckets unless they cost more than a request may. */
  maxPoints?: number | undefined;
  /** What to work out, separated by commas: count, sum, avg, min, max, first, last, increase, rate, timeWeightedMean, p50, p90, p95, p99. All but the quotients (avg, rate, timeWeightedMean) are exact to the digit, and these are the nearest double. rate is increase by the length of the bucket; in timeWeightedMean a value holds until the next one, at most 24 hours. */
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
      )[]
    | undefined;
  /** names of fields, separated by commas; one with a comma in quotes, as in CSV. By default all that are numbers. The columns of CSV; without it, CSV has those of each field in the range, which is read twice then. */
  fields?: string | undefined;
  /** For rate: what it is per. Of a counter of kWh, the rate per hour is kW. */
  per?: ('second' | 'minute' | 'hour') | undefined;
  /** What a bucket without a value of a field says: `none` leaves the field out. The others need `fields`: `null`; `previous`, the value of the last bucket before it in the range; `linear`, the line between that and the next one; or a number. With `previous` and `linear`, sum, increase and rate are 0; count is 0 but for a number. */
  fill?: string | undefined;
  /** For increase and rate: the value at which the counter goes back to 0, such as 1000000. A fall that is less than a tenth of it the other way round counts as that. */
  wrapsAt?: string | undefined;
  /** For increase and rate, what any other fall means: the counter began again at 0 (its new value counts), or at an unknown value, as that of a meter that was replaced may (it counts for nothing). */
  reset?: ('zero' | 'unknown') | undefined;
  /** Buckets for each device or room, in place of those of all of them. Readings that were taken in no room have a group whose `room` is null. `limit` counts the buckets of all groups. */
  groupBy?: ('device' | 'room') | undefined;
}

export type GetPlaceAggregatesOutput = {
  /** How wide the buckets are, also where `maxPoints` decided. */
  every:
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
    | 'P1Y';
  /** In order of time. */
  items: {
    /** With `groupBy=device`. */
    device?: string | undefined;
    /** With `groupBy=room`; null for what was taken in no room. */
    room?: (string | null) | undefined;
    from: string;
    to: string;
    /** `from` by the clocks of the time zone. */
    localFrom: string;
    /** Without the fields that nothing was reported for. */
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
    /** There, and true, where the bucket may lack readings: they may have expired before a rollup of their hour was made, or only a part of that hour is in the bucket. */
    incomplete?: true | undefined;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetHotPartitionsInput {
  /** How many partition keys to give at most. */
  limit?: number | undefined;
  /** `true` gives only those that are hot now; otherwise the busiest, hot or not. */
  hot?: boolean | undefined;
}

export type GetHotPartitionsOutput = {
  /** A name that the process got at random when it started. */
  process: string;
  /** Seconds that the figures are of: the last ones. */
  windowSeconds: number;
  /** Capacity units a second that one partition key takes. */
  limits: {
    read: number;
    write: number;
  };
  /** How partition keys are named (HOT_PARTITION_KEYS): as they are, hashed, or hidden. */
  keys: 'shown' | 'hashed' | 'hidden';
  /** All reasons, the most frequent first. */
  throttling: Throttling[];
  /** Those that are hot come first; of these, those that are throttled; then by `utilization`. */
  partitions: HotPartition[];
};

export interface GetMergedHotPartitionsInput {
  /** How many partition keys to give at most. */
  limit?: number | undefined;
  /** `true` gives only those that are hot now; otherwise the busiest, hot or not. */
  hot?: boolean | undefined;
}

export type GetMergedHotPartitionsOutput = {
  /** Seconds that the figures are of: the last ones. */
  windowSeconds: number;
  /** Capacity units a second that one partition key takes. */
  limits: {
    read: number;
    write: number;
  };
  /** How partition keys are named (HOT_PARTITION_KEYS): as they are, hashed, or hidden. */
  keys: 'shown' | 'hashed' | 'hidden';
  /** All reasons, the most frequent first. */
  throttling: Throttling[];
  /** Those that are hot come first; of these, those that are throttled; then by `utilization`. */
  partitions: HotPartition[];
  /** Who was asked. A process that answered at several addresses is counted once. */
  processes: (
    | {
        /** As HOT_PARTITION_PEERS has it; absent where it is the process that answers. */
        url?: string | undefined;
        /** Of the addresses that the URL stands for, this one. */
        address?: string | undefined;
        answered: true;
        /** A name that the process got at random when it started. */
        process: string;
      }
    | {
        /** As HOT_PARTITION_PEERS has it; absent where it is the process that answers. */
        url?: string | undefined;
        /** Of the addresses that the URL stands for, this one. */
        address?: string | undefined;
        answered: false;
        /** Why its share is missing. */
        why: string;
      }
  )[];
};

export const queryOperations = {
  /**
   * A device and its latest readings.
   *
   * Of a device that is asked for so often that its partition key is hot (`/v1/hot-partitions`), the answer may be up to a second old.
   */
  getLatest: operation<GetLatestInput, GetLatestOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/latest',
    query: ['limit'],
  }),
  /**
   * Several devices and their latest readings.
   *
   * Of a device that is asked for so often that its partition key is hot (`/v1/hot-partitions`), the answer may be up to a second old.
   */
  getLatestOfMany: operation<GetLatestOfManyInput, GetLatestOfManyOutput>({
    method: 'GET',
    path: '/v1/latest',
    query: ['device', 'readings', 'limit', 'cursor'],
  }),
  /**
   * The devices in a room now and their latest readings.
   *
   * Also readings from before a device came there. Of a device that is asked for so often that its partition key is hot (`/v1/hot-partitions`), the answer may be up to a second old.
   */
  getRoomLatest: operation<GetRoomLatestInput, GetRoomLatestOutput>({
    method: 'GET',
    path: '/v1/rooms/{place}/{room}/latest',
    query: ['readings', 'limit', 'cursor'],
  }),
  /**
   * The devices at a place now and their latest readings.
   *
   * Also readings from before a device came there. Of a device that is asked for so often that its partition key is hot (`/v1/hot-partitions`), the answer may be up to a second old.
   */
  getPlaceLatest: operation<GetPlaceLatestInput, GetPlaceLatestOutput>({
    method: 'GET',
    path: '/v1/places/{id}/latest',
    query: ['readings', 'limit', 'cursor'],
  }),
  /**
   * The fields of a device, each with its last value.
   *
   * Also of fields that the newest reading lacks, such as the battery of a sensor that reports it once a day. Costs a Query a device, and one for each 1,000 readings further back. Another Query finds when each was first reported.
   */
  getFields: operation<GetFieldsInput, GetFieldsOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/fields',
    query: ['from', 'timeZone', 'fields'],
  }),
  /**
   * The devices in a room now, each with the last values of its fields.
   *
   * Also of fields that the newest reading lacks, such as the battery of a sensor that reports it once a day. Costs a Query a device, and one for each 1,000 readings further back.
   */
  getRoomFields: operation<GetRoomFieldsInput, GetRoomFieldsOutput>({
    method: 'GET',
    path: '/v1/rooms/{place}/{room}/fields',
    query: ['from', 'timeZone', 'fields', 'limit', 'cursor'],
  }),
  /**
   * The devices at a place now, each with the last values of its fields.
   *
   * Also of fields that the newest reading lacks, such as the battery of a sensor that reports it once a day. Costs a Query a device, and one for each 1,000 readings further back.
   */
  getPlaceFields: operation<GetPlaceFieldsInput, GetPlaceFieldsOutput>({
    method: 'GET',
    path: '/v1/places/{id}/fields',
    query: ['from', 'timeZone', 'fields', 'limit', 'cursor'],
  }),
  /** The readings of a device from one time to another. */
  getReadings: operation<GetReadingsInput, GetReadingsOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/readings',
    query: ['from', 'to', 'timeZone', 'limit', 'cursor', 'resumable', 'fields', 'order'],
  }),
  /** The readings taken in a room, also by devices that have moved away. */
  getRoomReadings: operation<GetRoomReadingsInput, GetRoomReadingsOutput>({
    method: 'GET',
    path: '/v1/rooms/{place}/{room}/readings',
    query: ['from', 'to', 'timeZone', 'limit', 'cursor', 'resumable', 'fields', 'order'],
  }),
  /** The readings taken at a place, also by devices that have moved away. */
  getPlaceReadings: operation<GetPlaceReadingsInput, GetPlaceReadingsOutput>({
    method: 'GET',
    path: '/v1/places/{id}/readings',
    query: ['from', 'to', 'timeZone', 'limit', 'cursor', 'resumable', 'fields', 'order'],
  }),
  /** What the readings of a device came to, by the hour, day, …. */
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
  /** What the readings taken in a room came to, also those of devices that have moved away. */
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
  /** What the readings taken at a place came to, also those of devices that have moved away. */
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
   * Which partition keys are hot, why, and what to do.
   *
   * What this process has sent to DynamoDB in the last seconds, by partition key. Others use the same keys: `/v1/hot-partitions/merged` asks them too.
   */
  getHotPartitions: operation<GetHotPartitionsInput, GetHotPartitionsOutput>({
    method: 'GET',
    path: '/v1/hot-partitions',
    query: ['limit', 'hot'],
  }),
  /**
   * Which partition keys are hot, as all processes together know.
   *
   * Asks the processes that HOT_PARTITION_PEERS names, all at once and for two seconds at most, with the token of this request, and adds up what they say. Without any, it is what this process knows.
   */
  getMergedHotPartitions: operation<GetMergedHotPartitionsInput, GetMergedHotPartitionsOutput>({
    method: 'GET',
    path: '/v1/hot-partitions/merged',
    query: ['limit', 'hot'],
  }),
};
