// Written by `npm run reference` from the OpenAPI document of the service: change its routes, not this.
import { operation } from '../http/operation.ts';

export type NewDevice = {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** What people call the device. */
  name?: (unknown & unknown) | undefined;
  kind?: ('meter' | 'climate' | 'contact' | 'button' | 'other') | undefined;
  /** Pending: its readings are hidden until it is approved. */
  status?: ('active' | 'pending') | undefined;
  /** All labels: Keys and values have the form that Kubernetes gives them: letters, digits, `-`, `_` and `.`, at most 63, a key perhaps behind a DNS name and a slash. At most 32, 2048 bytes together. */
  labels?: Record<string, string> | undefined;
  /** All metadata: Any JSON object of at most 4096 bytes; nothing here reads it. */
  metadata?: Record<string, unknown> | undefined;
};

export type Correction = {
  id: string;
  operation: 'delete' | 'replace' | 'ignore' | 'reset';
  /** Where the range begins; absent for a reset. */
  from?: string | undefined;
  to?: string | undefined;
  /** The moment of a reset; absent for the others. */
  at?: string | undefined;
  /** Absent where it is about all. */
  fields?: string[] | undefined;
  /** Of a `replace`. */
  readings?:
    | {
        time: string;
        fields: Record<string, number | string | boolean | null>;
      }[]
    | undefined;
  why: string;
  /** The subject of the token of who made it; absent where tokens are not checked. */
  by?: string | undefined;
  madeAt: string;
  /** Since then it applies no more. */
  undoneAt?: string | undefined;
  undoneBy?: string | undefined;
};

export type ReplacementReading = {
  time: string | number;
  /** By name; numbers keep every digit. */
  fields: Record<string, number | string | boolean | null>;
};

export type NewPlace = {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** What people call the place. */
  name: unknown & unknown;
  /** All labels: Keys and values have the form that Kubernetes gives them: letters, digits, `-`, `_` and `.`, at most 63, a key perhaps behind a DNS name and a slash. At most 32, 2048 bytes together. */
  labels?: Record<string, string> | undefined;
  /** All metadata: Any JSON object of at most 4096 bytes; nothing here reads it. */
  metadata?: Record<string, unknown> | undefined;
  rooms?:
    | {
        /** The id of the room, its own in its place: 1 to 128 characters, percent-encoded. */
        id: string;
        /** What people call the room. */
        name: unknown & unknown;
        /** All labels: Keys and values have the form that Kubernetes gives them: letters, digits, `-`, `_` and `.`, at most 63, a key perhaps behind a DNS name and a slash. At most 32, 2048 bytes together. */
        labels?: Record<string, string> | undefined;
        /** All metadata: Any JSON object of at most 4096 bytes; nothing here reads it. */
        metadata?: Record<string, unknown> | undefined;
      }[]
    | undefined;
};

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

export interface ListDevicesInput {
  /** What the name begins with, without regard to case and width. */
  namePrefix?: string | undefined;
  /** For how long they were silent: ISO 8601, in weeks, or in days, hours, minutes and seconds, such as PT1H. */
  silentFor?: string | undefined;
  /** By default `name`; with `silentFor` it is `lastSeen`. */
  order?: ('name' | 'lastSeen' | '-lastSeen') | undefined;
  /** Only devices of this status. */
  status?: ('active' | 'pending') | undefined;
  /** Only devices of this kind. */
  kind?: ('meter' | 'climate' | 'contact' | 'button' | 'other') | undefined;
  /** Only devices that are at this place now, by its id. */
  place?: string | undefined;
  /** Only devices that are in this room of the place now. */
  room?: string | undefined;
  /** Only what has this label: `label=floor=2` with this value, `label=floor` with any. Given up to 8 times, all have to be there. */
  label?: string[] | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
}

export type ListDevicesOutput = {
  items: {
    id: string;
    name: string;
    kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
    /** Pending: its readings are hidden until it is approved. */
    status: 'active' | 'pending';
    registeredAt: string;
    /** By key. Absent where there are none. */
    labels?: Record<string, string> | undefined;
    /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
    metadata?: Record<string, unknown> | undefined;
    /** When it was last heard of, to the hour. Absent while it never was, and in lists by name without `place`. */
    lastSeenAt?: string | undefined;
    /** Absent while it is placed nowhere. */
    place?: string | undefined;
    room?: string | undefined;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface CreateDevicesInput {
  body: NewDevice | NewDevice[];
}

export type CreateDevicesOutput = {
  devices: {
    created: number;
    /** Those that were there already, which stay as they are. */
    existing: number;
  };
  /** Entries of which nothing was made. */
  failed: number;
  /** Why, of the first 100. */
  errors: {
    /** The line, or the place in the array, counted from 1. */
    line: number;
    message: string;
  }[];
};

export interface GetDeviceInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
}

export type GetDeviceOutput = {
  id: string;
  name: string;
  kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
  /** Pending: its readings are hidden until it is approved. */
  status: 'active' | 'pending';
  registeredAt: string;
  /** By key. Absent where there are none. */
  labels?: Record<string, string> | undefined;
  /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
  /** When it was last heard of; kept up to date within an hour. Absent while it never was. */
  lastSeenAt?: string | undefined;
  /** Absent while it is placed nowhere. */
  place?: string | undefined;
  room?: string | undefined;
  /** When it was last moved, or taken away. */
  since?: string | undefined;
  /** Raised by each change; the ETag holds it. */
  version: number;
};

export interface PutDeviceInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag as it was read, or several, or *: nothing is made, and nothing that has another version changed. */
  ifMatch?: string | undefined;
  /** `*`: only makes what is not there yet. */
  ifNoneMatch?: string | undefined;
  body: {
    /** What people call the device. */
    name?: (unknown & unknown) | undefined;
    kind?: ('meter' | 'climate' | 'contact' | 'button' | 'other') | undefined;
    /** Pending: its readings are hidden until it is approved. */
    status?: ('active' | 'pending') | undefined;
    /** All labels: Keys and values have the form that Kubernetes gives them: letters, digits, `-`, `_` and `.`, at most 63, a key perhaps behind a DNS name and a slash. At most 32, 2048 bytes together. */
    labels?: Record<string, string> | undefined;
    /** All metadata: Any JSON object of at most 4096 bytes; nothing here reads it. */
    metadata?: Record<string, unknown> | undefined;
  };
}

export type PutDeviceOutput = {
  id: string;
  name: string;
  kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
  /** Pending: its readings are hidden until it is approved. */
  status: 'active' | 'pending';
  registeredAt: string;
  /** By key. Absent where there are none. */
  labels?: Record<string, string> | undefined;
  /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
  /** When it was last heard of; kept up to date within an hour. Absent while it never was. */
  lastSeenAt?: string | undefined;
  /** Absent while it is placed nowhere. */
  place?: string | undefined;
  room?: string | undefined;
  /** When it was last moved, or taken away. */
  since?: string | undefined;
  /** Raised by each change; the ETag holds it. */
  version: number;
};

export interface RenameDeviceInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag as it was read, or several: where the item has another version by now, nothing is changed. */
  ifMatch?: string | undefined;
  body: {
    /** What people call the device. */
    name?: (unknown & unknown) | undefined;
    kind?: ('meter' | 'climate' | 'contact' | 'button' | 'other') | undefined;
    /** `active` approves a device that is pending. */
    status?: ('active' | 'pending') | undefined;
    /** What is not named stays; null takes a label away, and in place of all of them all. Keys and values have the form that Kubernetes gives them: letters, digits, `-`, `_` and `.`, at most 63, a key perhaps behind a DNS name and a slash. At most 32, 2048 bytes together. */
    labels?: (Record<string, string | null> | null) | undefined;
    /** What is not named stays, also in the objects in it; null takes a member away, and in place of all of it all. Any JSON object of at most 4096 bytes; nothing here reads it. */
    metadata?: (Record<string, unknown> | null) | undefined;
  };
}

export type RenameDeviceOutput = {
  id: string;
  name: string;
  kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
  /** Pending: its readings are hidden until it is approved. */
  status: 'active' | 'pending';
  registeredAt: string;
  /** By key. Absent where there are none. */
  labels?: Record<string, string> | undefined;
  /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
  /** When it was last heard of; kept up to date within an hour. Absent while it never was. */
  lastSeenAt?: string | undefined;
  /** Absent while it is placed nowhere. */
  place?: string | undefined;
  room?: string | undefined;
  /** When it was last moved, or taken away. */
  since?: string | undefined;
  /** Raised by each change; the ETag holds it. */
  version: number;
};

export interface DeleteDeviceInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag as it was read, or several: where the item has another version by now, nothing is changed. */
  ifMatch?: string | undefined;
}

export type DeleteDeviceOutput = undefined;

export interface ListCorrectionsInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
}

export type ListCorrectionsOutput = {
  items: Correction[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetCorrectionInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The id of the correction, its own among those of the device: 1 to 128 characters, percent-encoded. */
  correction: string;
}

export type GetCorrectionOutput = Correction;

export interface PutCorrectionInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The id of the correction, its own among those of the device: 1 to 128 characters, percent-encoded. */
  correction: string;
  /** The ETag as it was read, or several, or *: nothing is made, and nothing that has another version changed. */
  ifMatch?: string | undefined;
  /** `*`: only makes what is not there yet. */
  ifNoneMatch?: string | undefined;
  body:
    | {
        operation: 'delete';
        /** Where the range begins: ISO 8601 with an offset, or epoch seconds or milliseconds. */
        from: string | number;
        /** Where it ends; a reading of this very moment is not in it. At most a day ahead. */
        to: string | number;
        /** Only these fields of the readings. By default all. */
        fields?: string[] | undefined;
        /** The reason, for people. */
        why: string;
      }
    | {
        operation: 'ignore';
        /** Where the range begins: ISO 8601 with an offset, or epoch seconds or milliseconds. */
        from: string | number;
        /** Where it ends; a reading of this very moment is not in it. At most a day ahead. */
        to: string | number;
        /** Only these fields of the readings. By default all. */
        fields?: string[] | undefined;
        /** The reason, for people. */
        why: string;
      }
    | {
        operation: 'replace';
        /** Where the range begins: ISO 8601 with an offset, or epoch seconds or milliseconds. */
        from: string | number;
        /** Where it ends; a reading of this very moment is not in it. At most a day ahead. */
        to: string | number;
        /** Only these fields of the readings. By default all. */
        fields?: string[] | undefined;
        /** The reason, for people. */
        why: string;
        /** What stands in the place of what is hidden: within the range, and of `fields` alone. */
        readings: ReplacementReading[];
      }
    | {
        operation: 'reset';
        /** The first reading at or after this time is that of the counter after the reset. */
        at: string | number;
        /** Only these fields of the readings. By default all. */
        fields?: string[] | undefined;
        /** The reason, for people. */
        why: string;
      };
}

export type PutCorrectionOutput = Correction;

export interface UndoCorrectionInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The id of the correction, its own among those of the device: 1 to 128 characters, percent-encoded. */
  correction: string;
  /** The ETag as it was read, or several: where the item has another version by now, nothing is changed. */
  ifMatch?: string | undefined;
}

export type UndoCorrectionOutput = undefined;

export interface ListPlacesInput {
  /** What the name begins with, without regard to case and width. */
  namePrefix?: string | undefined;
  /** Only what has this label: `label=floor=2` with this value, `label=floor` with any. Given up to 8 times, all have to be there. */
  label?: string[] | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
}

export type ListPlacesOutput = {
  items: {
    id: string;
    name: string;
    registeredAt: string;
    /** Raised by each change; the ETag holds it. */
    version: number;
    /** By key. Absent where there are none. */
    labels?: Record<string, string> | undefined;
    /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
    metadata?: Record<string, unknown> | undefined;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface CreatePlacesInput {
  body: NewPlace | NewPlace[];
}

export type CreatePlacesOutput = {
  places: {
    created: number;
    /** Those that were there already, which stay as they are. */
    existing: number;
  };
  rooms: {
    created: number;
    /** Those that were there already, which stay as they are. */
    existing: number;
  };
  /** Entries of which nothing was made. */
  failed: number;
  /** Why, of the first 100. */
  errors: {
    /** The line, or the place in the array, counted from 1. */
    line: number;
    message: string;
  }[];
};

export interface GetPlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** How many to give at most; a page may hold fewer and still have a next one. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
}

export type GetPlaceOutput = {
  id: string;
  name: string;
  registeredAt: string;
  /** Raised by each change; the ETag holds it. */
  version: number;
  /** By key. Absent where there are none. */
  labels?: Record<string, string> | undefined;
  /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
  devices: {
    /** The id of the device. */
    device: string;
    name: string;
    kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
    /** The id of the room; without it, the device is in none. */
    room?: string | undefined;
    /** When it came to this room, or to the place where it is in none. */
    since: string;
    /** When something last happened to it here. */
    lastEventAt?: string | undefined;
    /** What happened, such as `{ "contact": "open" }`. */
    lastEvent?: Record<string, number | string | boolean | null> | undefined;
  }[];
  rooms: {
    place: string;
    id: string;
    name: string;
    registeredAt: string;
    /** Raised by each change; the ETag holds it. */
    version: number;
    /** By key. Absent where there are none. */
    labels?: Record<string, string> | undefined;
    /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
    metadata?: Record<string, unknown> | undefined;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface PutPlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag as it was read, or several, or *: nothing is made, and nothing that has another version changed. */
  ifMatch?: string | undefined;
  /** `*`: only makes what is not there yet. */
  ifNoneMatch?: string | undefined;
  body: {
    /** What people call the place. */
    name: unknown & unknown;
    /** All labels: Keys and values have the form that Kubernetes gives them: letters, digits, `-`, `_` and `.`, at most 63, a key perhaps behind a DNS name and a slash. At most 32, 2048 bytes together. */
    labels?: Record<string, string> | undefined;
    /** All metadata: Any JSON object of at most 4096 bytes; nothing here reads it. */
    metadata?: Record<string, unknown> | undefined;
  };
}

export type PutPlaceOutput = {
  id: string;
  name: string;
  registeredAt: string;
  /** Raised by each change; the ETag holds it. */
  version: number;
  /** By key. Absent where there are none. */
  labels?: Record<string, string> | undefined;
  /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
};

export interface RenamePlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag as it was read, or several: where the item has another version by now, nothing is changed. */
  ifMatch?: string | undefined;
  body: {
    /** What people call the place. */
    name?: (unknown & unknown) | undefined;
    /** What is not named stays; null takes a label away, and in place of all of them all. Keys and values have the form that Kubernetes gives them: letters, digits, `-`, `_` and `.`, at most 63, a key perhaps behind a DNS name and a slash. At most 32, 2048 bytes together. */
    labels?: (Record<string, string | null> | null) | undefined;
    /** What is not named stays, also in the objects in it; null takes a member away, and in place of all of it all. Any JSON object of at most 4096 bytes; nothing here reads it. */
    metadata?: (Record<string, unknown> | null) | undefined;
  };
}

export type RenamePlaceOutput = {
  id: string;
  name: string;
  registeredAt: string;
  /** Raised by each change; the ETag holds it. */
  version: number;
  /** By key. Absent where there are none. */
  labels?: Record<string, string> | undefined;
  /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
};

export interface DeletePlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag as it was read, or several: where the item has another version by now, nothing is changed. */
  ifMatch?: string | undefined;
}

export type DeletePlaceOutput = undefined;

export interface ListRoomsOfPlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
}

export type ListRoomsOfPlaceOutput = {
  items: {
    place: string;
    id: string;
    name: string;
    registeredAt: string;
    /** Raised by each change; the ETag holds it. */
    version: number;
    /** By key. Absent where there are none. */
    labels?: Record<string, string> | undefined;
    /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
    metadata?: Record<string, unknown> | undefined;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface ListDevicesOfPlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
}

export type ListDevicesOfPlaceOutput = {
  items: {
    /** The id of the device. */
    device: string;
    name: string;
    kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
    /** The id of the room; without it, the device is in none. */
    room?: string | undefined;
    /** When it came to this room, or to the place where it is in none. */
    since: string;
    /** When something last happened to it here. */
    lastEventAt?: string | undefined;
    /** What happened, such as `{ "contact": "open" }`. */
    lastEvent?: Record<string, number | string | boolean | null> | undefined;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface PlaceDeviceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  device: string;
  /** The ETag of the device: one that was changed since is not moved. */
  ifMatch?: string | undefined;
  body: {
    /** The id of the room, its own in its place: 1 to 128 characters, percent-encoded. */
    room?: string | undefined;
    /** From when on, by default now: ISO 8601 with an offset, or epoch seconds or milliseconds. Later than its last move, and at most a minute ahead. */
    since?: (string | number) | undefined;
  };
}

export type PlaceDeviceOutput = {
  place: string;
  /** Absent where it was in no room of the place. */
  room?: string | undefined;
  since: string;
  /** Absent while it lasts. */
  until?: string | undefined;
};

export interface TakeDeviceAwayInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  device: string;
  /** The ETag of the device: one that was changed since is not moved. */
  ifMatch?: string | undefined;
}

export type TakeDeviceAwayOutput = undefined;

export interface ListRoomsInput {
  /** What the name begins with, without regard to case and width. */
  namePrefix?: string | undefined;
  /** Only what has this label: `label=floor=2` with this value, `label=floor` with any. Given up to 8 times, all have to be there. */
  label?: string[] | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
}

export type ListRoomsOutput = {
  items: {
    place: string;
    id: string;
    name: string;
    registeredAt: string;
    /** Raised by each change; the ETag holds it. */
    version: number;
    /** By key. Absent where there are none. */
    labels?: Record<string, string> | undefined;
    /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
    metadata?: Record<string, unknown> | undefined;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetRoomInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, its own in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** How many to give at most; a page may hold fewer and still have a next one. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
}

export type GetRoomOutput = {
  place: string;
  id: string;
  name: string;
  registeredAt: string;
  /** Raised by each change; the ETag holds it. */
  version: number;
  /** By key. Absent where there are none. */
  labels?: Record<string, string> | undefined;
  /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
  /** By id. */
  devices: {
    device: string;
    since: string;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface PutRoomInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, its own in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** The ETag as it was read, or several, or *: nothing is made, and nothing that has another version changed. */
  ifMatch?: string | undefined;
  /** `*`: only makes what is not there yet. */
  ifNoneMatch?: string | undefined;
  body: {
    /** What people call the room. */
    name: unknown & unknown;
    /** All labels: Keys and values have the form that Kubernetes gives them: letters, digits, `-`, `_` and `.`, at most 63, a key perhaps behind a DNS name and a slash. At most 32, 2048 bytes together. */
    labels?: Record<string, string> | undefined;
    /** All metadata: Any JSON object of at most 4096 bytes; nothing here reads it. */
    metadata?: Record<string, unknown> | undefined;
  };
}

export type PutRoomOutput = {
  place: string;
  id: string;
  name: string;
  registeredAt: string;
  /** Raised by each change; the ETag holds it. */
  version: number;
  /** By key. Absent where there are none. */
  labels?: Record<string, string> | undefined;
  /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
};

export interface RenameRoomInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, its own in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** The ETag as it was read, or several: where the item has another version by now, nothing is changed. */
  ifMatch?: string | undefined;
  body: {
    /** What people call the room. */
    name?: (unknown & unknown) | undefined;
    /** What is not named stays; null takes a label away, and in place of all of them all. Keys and values have the form that Kubernetes gives them: letters, digits, `-`, `_` and `.`, at most 63, a key perhaps behind a DNS name and a slash. At most 32, 2048 bytes together. */
    labels?: (Record<string, string | null> | null) | undefined;
    /** What is not named stays, also in the objects in it; null takes a member away, and in place of all of it all. Any JSON object of at most 4096 bytes; nothing here reads it. */
    metadata?: (Record<string, unknown> | null) | undefined;
  };
}

export type RenameRoomOutput = {
  place: string;
  id: string;
  name: string;
  registeredAt: string;
  /** Raised by each change; the ETag holds it. */
  version: number;
  /** By key. Absent where there are none. */
  labels?: Record<string, string> | undefined;
  /** What people attached to it. Absent where there is nothing, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
};

export interface DeleteRoomInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, its own in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** The ETag as it was read, or several: where the item has another version by now, nothing is changed. */
  ifMatch?: string | undefined;
}

export type DeleteRoomOutput = undefined;

export interface ListPlacementsInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
}

export type ListPlacementsOutput = {
  items: {
    place: string;
    /** Absent where it was in no room of the place. */
    room?: string | undefined;
    since: string;
    /** Absent while it lasts. */
    until?: string | undefined;
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

export const registryOperations = {
  /**
   * The devices by name, by when they were last heard of, or those that are silent.
   *
   * In the order of their names, or of when they were last heard of: `lastSeen` has the longest silent first, `-lastSeen` the
   * others. That order is true to the hour, since noting each reading would cost three times as much as storing it.
   *
   * `silentFor` gives exactly those that were not heard of for so long, the longest silent first; those that never were come
   * before them. Of each that was last heard of within the hour before that time its newest reading is looked for, for half a
   * read unit. So from PT1H on it costs as good as nothing; for less, as much as there are devices.
   *
   * `status`, `kind`, `place`, `room` and `label` filter any of these lists; all that are given have to hold. With `place`, what is
   * read grows with that place, without it with the whole list: then a page may have few devices, or none, and a cursor all the same.
   */
  listDevices: operation<ListDevicesInput, ListDevicesOutput>({
    method: 'GET',
    path: '/v1/devices',
    query: [
      'namePrefix',
      'silentFor',
      'order',
      'status',
      'kind',
      'place',
      'room',
      'label',
      'limit',
      'cursor',
      'resumable',
    ],
  }),
  /**
   * Register devices, as many as you like.
   *
   * One device, an array of them, or one a line (NDJSON), read as they come. What is there already stays as it is. After a problem, or no answer, send all of it again.
   */
  createDevices: operation<CreateDevicesInput, CreateDevicesOutput>({
    method: 'POST',
    path: '/v1/devices',
    query: [],
    type: 'application/json',
  }),
  /** A device by its id. */
  getDevice: operation<GetDeviceInput, GetDeviceOutput>({
    method: 'GET',
    path: '/v1/devices/{id}',
    query: [],
  }),
  /**
   * Register a device, or replace what is said of it.
   *
   * What is not given has its default, also of a device that is there: it is named as its id and active, and its kind is the one that its messages tell, `other` until they do. PATCH changes what is given only. Where a device is, and what was heard of it, stays as it is.
   */
  putDevice: operation<PutDeviceInput, PutDeviceOutput>({
    method: 'PUT',
    path: '/v1/devices/{id}',
    query: [],
    headers: ['if-match', 'if-none-match'],
    type: 'application/json',
  }),
  /**
   * Rename a device, or change its kind, status, labels or metadata.
   *
   * With If-Match only as long as nobody else has changed it; without, the last one to change it wins.
   */
  renameDevice: operation<RenameDeviceInput, RenameDeviceOutput>({
    method: 'PATCH',
    path: '/v1/devices/{id}',
    query: [],
    headers: ['if-match'],
    type: 'application/json',
  }),
  /**
   * Delete a device with its readings and its history.
   *
   * It is gone at once, and what belongs to it soon after. Readings of a later time are kept: where devices register themselves, one that goes on sending is there again, with nothing of before.
   */
  deleteDevice: operation<DeleteDeviceInput, DeleteDeviceOutput>({
    method: 'DELETE',
    path: '/v1/devices/{id}',
    query: [],
    headers: ['if-match'],
  }),
  /**
   * The corrections of the readings of a device, in the order of their ids.
   *
   * Also those that were undone. Ids that begin with a time, such as ULIDs, are in its order.
   */
  listCorrections: operation<ListCorrectionsInput, ListCorrectionsOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/corrections',
    query: ['limit', 'cursor', 'resumable'],
  }),
  /** A correction of readings: what, why, by whom, and when. */
  getCorrection: operation<GetCorrectionInput, GetCorrectionOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/corrections/{correction}',
    query: [],
  }),
  /**
   * Correct readings of a device: delete or replace them, or say what they mean.
   *
   * It holds for all readings of the range, also for those that arrive later, until it is undone; what was stored stays as it was. Corrections apply in the order in which they were made. Sent again, it changes nothing. Answers follow within 5 seconds, rollups included.
   */
  putCorrection: operation<PutCorrectionInput, PutCorrectionOutput>({
    method: 'PUT',
    path: '/v1/devices/{id}/corrections/{correction}',
    query: [],
    headers: ['if-match', 'if-none-match'],
    type: 'application/json',
  }),
  /**
   * Undo a correction.
   *
   * Readings are as they were before it. It stays in the list, with when it was undone and by whom; its id is not used again. Undone again, nothing changes.
   */
  undoCorrection: operation<UndoCorrectionInput, UndoCorrectionOutput>({
    method: 'DELETE',
    path: '/v1/devices/{id}/corrections/{correction}',
    query: [],
    headers: ['if-match'],
  }),
  /** The places in the order of their names. */
  listPlaces: operation<ListPlacesInput, ListPlacesOutput>({
    method: 'GET',
    path: '/v1/places',
    query: ['namePrefix', 'label', 'limit', 'cursor', 'resumable'],
  }),
  /**
   * Make places with their rooms, as many as you like.
   *
   * One place, an array of them, or one a line (NDJSON), read as they come. What is there already stays as it is. After a problem, or no answer, send all of it again.
   */
  createPlaces: operation<CreatePlacesInput, CreatePlacesOutput>({
    method: 'POST',
    path: '/v1/places',
    query: [],
    type: 'application/json',
  }),
  /**
   * A place with its rooms, its devices, and what last happened to each device there.
   *
   * Devices before rooms, each by id; where that is more than a page, the cursor leads on, and each page has the place itself.
   */
  getPlace: operation<GetPlaceInput, GetPlaceOutput>({
    method: 'GET',
    path: '/v1/places/{id}',
    query: ['limit', 'cursor'],
  }),
  /**
   * Make a place, or give it its name.
   *
   * What is there keeps its rooms and devices. Labels and metadata are replaced: none are left where none are given.
   */
  putPlace: operation<PutPlaceInput, PutPlaceOutput>({
    method: 'PUT',
    path: '/v1/places/{id}',
    query: [],
    headers: ['if-match', 'if-none-match'],
    type: 'application/json',
  }),
  /** Rename a place, or change its labels and metadata. */
  renamePlace: operation<RenamePlaceInput, RenamePlaceOutput>({
    method: 'PATCH',
    path: '/v1/places/{id}',
    query: [],
    headers: ['if-match'],
    type: 'application/json',
  }),
  /**
   * Delete a place with its rooms and its history.
   *
   * It is gone at once, and what belongs to it soon after. Its devices and their readings are kept; they are placed nowhere then.
   */
  deletePlace: operation<DeletePlaceInput, DeletePlaceOutput>({
    method: 'DELETE',
    path: '/v1/places/{id}',
    query: [],
    headers: ['if-match'],
  }),
  /** The rooms of a place by their ids. */
  listRoomsOfPlace: operation<ListRoomsOfPlaceInput, ListRoomsOfPlaceOutput>({
    method: 'GET',
    path: '/v1/places/{id}/rooms',
    query: ['limit', 'cursor', 'resumable'],
  }),
  /** The devices at a place by their ids, each with what last happened to it there. */
  listDevicesOfPlace: operation<ListDevicesOfPlaceInput, ListDevicesOfPlaceOutput>({
    method: 'GET',
    path: '/v1/places/{id}/devices',
    query: ['limit', 'cursor', 'resumable'],
  }),
  /**
   * Place a device, or move it, from wherever it is.
   *
   * Without `room` it is at the place and in none of its rooms. Where it is there already, nothing changes, nor does since when it has been.
   */
  placeDevice: operation<PlaceDeviceInput, PlaceDeviceOutput>({
    method: 'PUT',
    path: '/v1/places/{place}/devices/{device}',
    query: [],
    headers: ['if-match'],
    type: 'application/json',
  }),
  /**
   * Take a device away from a place.
   *
   * It is placed nowhere then. That it was there, its history and that of the place keep.
   */
  takeDeviceAway: operation<TakeDeviceAwayInput, TakeDeviceAwayOutput>({
    method: 'DELETE',
    path: '/v1/places/{place}/devices/{device}',
    query: [],
    headers: ['if-match'],
  }),
  /** The rooms of all places in the order of their names. */
  listRooms: operation<ListRoomsInput, ListRoomsOutput>({
    method: 'GET',
    path: '/v1/rooms',
    query: ['namePrefix', 'label', 'limit', 'cursor', 'resumable'],
  }),
  /** A room, and the devices that are in it now. */
  getRoom: operation<GetRoomInput, GetRoomOutput>({
    method: 'GET',
    path: '/v1/rooms/{place}/{room}',
    query: ['limit', 'cursor'],
  }),
  /**
   * Make a room of a place, or give it its name.
   *
   * What is there keeps its devices. Labels and metadata are replaced: none are left where none are given.
   */
  putRoom: operation<PutRoomInput, PutRoomOutput>({
    method: 'PUT',
    path: '/v1/rooms/{place}/{room}',
    query: [],
    headers: ['if-match', 'if-none-match'],
    type: 'application/json',
  }),
  /** Rename a room, or change its labels and metadata. */
  renameRoom: operation<RenameRoomInput, RenameRoomOutput>({
    method: 'PATCH',
    path: '/v1/rooms/{place}/{room}',
    query: [],
    headers: ['if-match'],
    type: 'application/json',
  }),
  /**
   * Delete a room with its history.
   *
   * It is gone at once, and what belongs to it soon after. Its devices and their readings are kept; they stay at the place, in no room.
   */
  deleteRoom: operation<DeleteRoomInput, DeleteRoomOutput>({
    method: 'DELETE',
    path: '/v1/rooms/{place}/{room}',
    query: [],
    headers: ['if-match'],
  }),
  /**
   * Where a device is and has been, the newest first.
   *
   * A move may take a moment to show here.
   */
  listPlacements: operation<ListPlacementsInput, ListPlacementsOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/placements',
    query: ['limit', 'cursor', 'resumable'],
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
