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

export type NewDevice = {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The display name. */
  name?: (unknown & unknown) | undefined;
  kind?: ('meter' | 'climate' | 'contact' | 'button' | 'other') | undefined;
  /** `pending`: the readings of the device are hidden until the device is approved. */
  status?: ('active' | 'pending') | undefined;
  /** All labels: Keys and values have the syntax of Kubernetes labels: letters, digits, `-`, `_` and `.`, at most 63 characters; a key may have a DNS name and a slash as prefix. At most 32 labels of 2048 bytes in total. */
  labels?: Record<string, string> | undefined;
  /** All metadata: Any JSON object of at most 4096 bytes; Engawa does not interpret it. */
  metadata?: Record<string, unknown> | undefined;
};

export type Correction = {
  id: string;
  operation: 'delete' | 'replace' | 'ignore' | 'reset';
  /** The beginning of the range; absent for a reset. */
  from?: string | undefined;
  to?: string | undefined;
  /** The time of a reset; absent for other operations. */
  at?: string | undefined;
  /** Absent for all fields. */
  fields?: string[] | undefined;
  /** The replacement readings of a `replace`. */
  readings?:
    | {
        time: string;
        fields: Record<string, number | string | boolean | null>;
      }[]
    | undefined;
  /** The parts of the range in which the correction applies, for a token that is restricted to places: the device was at one of them. Empty where a later move leaves none. Absent where the correction applies to its whole range. */
  appliesTo?:
    | {
        from: string;
        to: string;
      }[]
    | undefined;
  why: string;
  /** The subject of the token of the client that created the correction; absent without authentication. */
  by?: string | undefined;
  madeAt: string;
  /** When the correction was undone; an undone correction does not apply. */
  undoneAt?: string | undefined;
  undoneBy?: string | undefined;
};

export type ReplacementReading = {
  time: string | number;
  /** Values by field name. Numbers keep all digits. */
  fields: Record<string, number | string | boolean | null>;
};

export type NewPlace = {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The display name. */
  name: unknown & unknown;
  /** All labels: Keys and values have the syntax of Kubernetes labels: letters, digits, `-`, `_` and `.`, at most 63 characters; a key may have a DNS name and a slash as prefix. At most 32 labels of 2048 bytes in total. */
  labels?: Record<string, string> | undefined;
  /** All metadata: Any JSON object of at most 4096 bytes; Engawa does not interpret it. */
  metadata?: Record<string, unknown> | undefined;
  rooms?:
    | {
        /** The id of the room, unique in its place: 1 to 128 characters, percent-encoded. */
        id: string;
        /** The display name. */
        name: unknown & unknown;
        /** All labels: Keys and values have the syntax of Kubernetes labels: letters, digits, `-`, `_` and `.`, at most 63 characters; a key may have a DNS name and a slash as prefix. At most 32 labels of 2048 bytes in total. */
        labels?: Record<string, string> | undefined;
        /** All metadata: Any JSON object of at most 4096 bytes; Engawa does not interpret it. */
        metadata?: Record<string, unknown> | undefined;
      }[]
    | undefined;
};

export interface ListDevicesInput {
  /** The prefix of the name, ignoring case and width. */
  namePrefix?: string | undefined;
  /** With `true`, the accents of Latin letters do not count in `namePrefix`: `cafe` finds Café. A page then reads all names with the first letter of the prefix, and all that begin with an accented letter: about 21 read units per 1,000; it may be short and still have a cursor. */
  ignoreAccents?: boolean | undefined;
  /** Only devices without a message for this duration: ISO 8601, in weeks, or in days, hours, minutes and seconds, such as PT1H. */
  silentFor?: string | undefined;
  /** By default `name`; with `silentFor`, `lastSeen`. */
  order?: ('name' | 'lastSeen' | '-lastSeen') | undefined;
  /** Only devices of this status. */
  status?: ('active' | 'pending') | undefined;
  /** Only devices of this kind. */
  kind?: ('meter' | 'climate' | 'contact' | 'button' | 'other') | undefined;
  /** Only devices at this place now, by its id. */
  place?: string | undefined;
  /** Only devices in this room of the place now. */
  room?: string | undefined;
  /** Only items with this label: `label=floor=2` with this value, `label=floor` with any value. Up to 8 times; an item must have all of them. */
  label?: string[] | undefined;
  /** Maximum number of items; a page may have fewer although more follow. By default 100 for a page of JSON, and all for CSV and NDJSON. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
}

export type ListDevicesOutput = {
  items: {
    id: string;
    name: string;
    kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
    /** `pending`: the readings of the device are hidden until the device is approved. */
    status: 'active' | 'pending';
    registeredAt: string;
    /** Labels by key; absent if there are none. */
    labels?: Record<string, string> | undefined;
    /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
    metadata?: Record<string, unknown> | undefined;
    /** When the device last sent a message, accurate to an hour. Absent before its first message, and in lists by name without `place`. */
    lastSeenAt?: string | undefined;
    /** Readings whose times were ahead of their receipt by more than a minute: the clock of the device, or its time zone, is or was wrong. Absent without such readings, and in lists by name without `place`. */
    clockAhead?:
      | {
          /** Number of these readings; updated at least once an hour. */
          readings: number;
          /** By how many seconds the last of them were ahead. */
          seconds: number;
          /** Receipt of the last of them. */
          at: string;
        }
      | undefined;
    /** Absent for a device without a placement. */
    place?: string | undefined;
    room?: string | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface CreateDevicesInput {
  body: NewDevice | NewDevice[];
}

export type CreateDevicesOutput = {
  devices: {
    created: number;
    /** Entries that existed already; they are not changed. */
    existing: number;
  };
  /** Number of rejected entries. */
  failed: number;
  /** The reasons of the first 100 rejected entries. */
  errors: {
    /** The line, or the position in the array, from 1. */
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
  /** `pending`: the readings of the device are hidden until the device is approved. */
  status: 'active' | 'pending';
  registeredAt: string;
  /** Labels by key; absent if there are none. */
  labels?: Record<string, string> | undefined;
  /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
  /** When the device last sent a message; updated at least once an hour. Absent before its first message. */
  lastSeenAt?: string | undefined;
  /** Readings whose times were ahead of their receipt by more than a minute: the clock of the device, or its time zone, is or was wrong. Absent without such readings, and in lists by name without `place`. */
  clockAhead?:
    | {
        /** Number of these readings; updated at least once an hour. */
        readings: number;
        /** By how many seconds the last of them were ahead. */
        seconds: number;
        /** Receipt of the last of them. */
        at: string;
      }
    | undefined;
  /** Absent for a device without a placement. */
  place?: string | undefined;
  room?: string | undefined;
  /** When the device was last placed, moved, or removed from a place. */
  since?: string | undefined;
  /** Incremented by each change; a part of the ETag. */
  version: number;
};

export interface PutDeviceInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag of the item as it was read, or several, or *: the item is not created, and not changed where it has another version. */
  ifMatch?: string | undefined;
  /** `*`: the item is created, and an existing one not changed. */
  ifNoneMatch?: string | undefined;
  body: {
    /** The display name. */
    name?: (unknown & unknown) | undefined;
    kind?: ('meter' | 'climate' | 'contact' | 'button' | 'other') | undefined;
    /** `pending`: the readings of the device are hidden until the device is approved. */
    status?: ('active' | 'pending') | undefined;
    /** All labels: Keys and values have the syntax of Kubernetes labels: letters, digits, `-`, `_` and `.`, at most 63 characters; a key may have a DNS name and a slash as prefix. At most 32 labels of 2048 bytes in total. */
    labels?: Record<string, string> | undefined;
    /** All metadata: Any JSON object of at most 4096 bytes; Engawa does not interpret it. */
    metadata?: Record<string, unknown> | undefined;
  };
}

export type PutDeviceOutput = {
  id: string;
  name: string;
  kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
  /** `pending`: the readings of the device are hidden until the device is approved. */
  status: 'active' | 'pending';
  registeredAt: string;
  /** Labels by key; absent if there are none. */
  labels?: Record<string, string> | undefined;
  /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
  /** When the device last sent a message; updated at least once an hour. Absent before its first message. */
  lastSeenAt?: string | undefined;
  /** Readings whose times were ahead of their receipt by more than a minute: the clock of the device, or its time zone, is or was wrong. Absent without such readings, and in lists by name without `place`. */
  clockAhead?:
    | {
        /** Number of these readings; updated at least once an hour. */
        readings: number;
        /** By how many seconds the last of them were ahead. */
        seconds: number;
        /** Receipt of the last of them. */
        at: string;
      }
    | undefined;
  /** Absent for a device without a placement. */
  place?: string | undefined;
  room?: string | undefined;
  /** When the device was last placed, moved, or removed from a place. */
  since?: string | undefined;
  /** Incremented by each change; a part of the ETag. */
  version: number;
};

export interface RenameDeviceInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag of the item as it was read, or several: nothing is changed where the item has another version by now. */
  ifMatch?: string | undefined;
  body: {
    /** The display name. */
    name?: (unknown & unknown) | undefined;
    kind?: ('meter' | 'climate' | 'contact' | 'button' | 'other') | undefined;
    /** `active` approves a pending device. A token that is restricted to places can only approve, and only a device that was at no other place. */
    status?: ('active' | 'pending') | undefined;
    /** Labels that are not named stay. null as a value removes the label; null instead of the object removes all labels. Keys and values have the syntax of Kubernetes labels: letters, digits, `-`, `_` and `.`, at most 63 characters; a key may have a DNS name and a slash as prefix. At most 32 labels of 2048 bytes in total. */
    labels?: (Record<string, string | null> | null) | undefined;
    /** Properties that are not named stay, also in nested objects. null as a value removes the property; null instead of the object removes all metadata. Any JSON object of at most 4096 bytes; Engawa does not interpret it. */
    metadata?: (Record<string, unknown> | null) | undefined;
  };
}

export type RenameDeviceOutput = {
  id: string;
  name: string;
  kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
  /** `pending`: the readings of the device are hidden until the device is approved. */
  status: 'active' | 'pending';
  registeredAt: string;
  /** Labels by key; absent if there are none. */
  labels?: Record<string, string> | undefined;
  /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
  /** When the device last sent a message; updated at least once an hour. Absent before its first message. */
  lastSeenAt?: string | undefined;
  /** Readings whose times were ahead of their receipt by more than a minute: the clock of the device, or its time zone, is or was wrong. Absent without such readings, and in lists by name without `place`. */
  clockAhead?:
    | {
        /** Number of these readings; updated at least once an hour. */
        readings: number;
        /** By how many seconds the last of them were ahead. */
        seconds: number;
        /** Receipt of the last of them. */
        at: string;
      }
    | undefined;
  /** Absent for a device without a placement. */
  place?: string | undefined;
  room?: string | undefined;
  /** When the device was last placed, moved, or removed from a place. */
  since?: string | undefined;
  /** Incremented by each change; a part of the ETag. */
  version: number;
};

export interface DeleteDeviceInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag of the item as it was read, or several: nothing is changed where the item has another version by now. */
  ifMatch?: string | undefined;
}

export type DeleteDeviceOutput = undefined;

export interface ListCorrectionsInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Maximum number of items; a page may have fewer although more follow. By default 100 for a page of JSON, and all for CSV and NDJSON. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
}

export type ListCorrectionsOutput = {
  items: Correction[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetCorrectionInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The id of the correction, unique among the corrections of the device: 1 to 128 characters, percent-encoded. */
  correction: string;
}

export type GetCorrectionOutput = Correction;

export interface PutCorrectionInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The id of the correction, unique among the corrections of the device: 1 to 128 characters, percent-encoded. */
  correction: string;
  /** The ETag of the item as it was read, or several, or *: the item is not created, and not changed where it has another version. */
  ifMatch?: string | undefined;
  /** `*`: the item is created, and an existing one not changed. */
  ifNoneMatch?: string | undefined;
  body:
    | {
        operation: 'delete';
        /** The beginning of the range: ISO 8601 with an offset, or epoch seconds or milliseconds. */
        from: string | number;
        /** The end of the range, exclusive. At most a day in the future. */
        to: string | number;
        /** Only these fields of the readings. By default all fields. */
        fields?: string[] | undefined;
        /** The reason for the correction. */
        why: string;
      }
    | {
        operation: 'ignore';
        /** The beginning of the range: ISO 8601 with an offset, or epoch seconds or milliseconds. */
        from: string | number;
        /** The end of the range, exclusive. At most a day in the future. */
        to: string | number;
        /** Only these fields of the readings. By default all fields. */
        fields?: string[] | undefined;
        /** The reason for the correction. */
        why: string;
      }
    | {
        operation: 'replace';
        /** The beginning of the range: ISO 8601 with an offset, or epoch seconds or milliseconds. */
        from: string | number;
        /** The end of the range, exclusive. At most a day in the future. */
        to: string | number;
        /** Only these fields of the readings. By default all fields. */
        fields?: string[] | undefined;
        /** The reason for the correction. */
        why: string;
        /** The replacement readings: within the range, and only with the fields in `fields`. */
        readings: ReplacementReading[];
      }
    | {
        operation: 'reset';
        /** The time of a counter reset: the first reading at or after this time is the first reading after the reset. */
        at: string | number;
        /** Only these fields of the readings. By default all fields. */
        fields?: string[] | undefined;
        /** The reason for the correction. */
        why: string;
      };
}

export type PutCorrectionOutput = Correction;

export interface UndoCorrectionInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The id of the correction, unique among the corrections of the device: 1 to 128 characters, percent-encoded. */
  correction: string;
  /** The ETag of the item as it was read, or several: nothing is changed where the item has another version by now. */
  ifMatch?: string | undefined;
}

export type UndoCorrectionOutput = undefined;

export interface ListPlacesInput {
  /** The prefix of the name, ignoring case and width. */
  namePrefix?: string | undefined;
  /** With `true`, the accents of Latin letters do not count in `namePrefix`: `cafe` finds Café. A page then reads all names with the first letter of the prefix, and all that begin with an accented letter: about 21 read units per 1,000; it may be short and still have a cursor. */
  ignoreAccents?: boolean | undefined;
  /** Only items with this label: `label=floor=2` with this value, `label=floor` with any value. Up to 8 times; an item must have all of them. */
  label?: string[] | undefined;
  /** Maximum number of items; a page may have fewer although more follow. By default 100 for a page of JSON, and all for CSV and NDJSON. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
}

export type ListPlacesOutput = {
  items: {
    id: string;
    name: string;
    registeredAt: string;
    /** Incremented by each change; a part of the ETag. */
    version: number;
    /** Labels by key; absent if there are none. */
    labels?: Record<string, string> | undefined;
    /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
    metadata?: Record<string, unknown> | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface CreatePlacesInput {
  body: NewPlace | NewPlace[];
}

export type CreatePlacesOutput = {
  places: {
    created: number;
    /** Entries that existed already; they are not changed. */
    existing: number;
  };
  rooms: {
    created: number;
    /** Entries that existed already; they are not changed. */
    existing: number;
  };
  /** Number of rejected entries. */
  failed: number;
  /** The reasons of the first 100 rejected entries. */
  errors: {
    /** The line, or the position in the array, from 1. */
    line: number;
    message: string;
  }[];
};

export interface GetPlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Maximum number of items; a page may have fewer although more follow. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
}

export type GetPlaceOutput = {
  id: string;
  name: string;
  registeredAt: string;
  /** Incremented by each change; a part of the ETag. */
  version: number;
  /** Labels by key; absent if there are none. */
  labels?: Record<string, string> | undefined;
  /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
  devices: {
    /** The id of the device. */
    device: string;
    name: string;
    kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
    /** The id of the room; absent for a device in no room. */
    room?: string | undefined;
    /** When the device came to this room, or to the place if it is in no room. */
    since: string;
    /** When the last event of the device at this place occurred. */
    lastEventAt?: string | undefined;
    /** The last event of the device at this place, such as `{ "contact": "open" }`. */
    lastEvent?: Record<string, number | string | boolean | null> | undefined;
  }[];
  rooms: {
    place: string;
    id: string;
    name: string;
    registeredAt: string;
    /** Incremented by each change; a part of the ETag. */
    version: number;
    /** Labels by key; absent if there are none. */
    labels?: Record<string, string> | undefined;
    /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
    metadata?: Record<string, unknown> | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface PutPlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag of the item as it was read, or several, or *: the item is not created, and not changed where it has another version. */
  ifMatch?: string | undefined;
  /** `*`: the item is created, and an existing one not changed. */
  ifNoneMatch?: string | undefined;
  body: {
    /** The display name. */
    name: unknown & unknown;
    /** All labels: Keys and values have the syntax of Kubernetes labels: letters, digits, `-`, `_` and `.`, at most 63 characters; a key may have a DNS name and a slash as prefix. At most 32 labels of 2048 bytes in total. */
    labels?: Record<string, string> | undefined;
    /** All metadata: Any JSON object of at most 4096 bytes; Engawa does not interpret it. */
    metadata?: Record<string, unknown> | undefined;
  };
}

export type PutPlaceOutput = {
  id: string;
  name: string;
  registeredAt: string;
  /** Incremented by each change; a part of the ETag. */
  version: number;
  /** Labels by key; absent if there are none. */
  labels?: Record<string, string> | undefined;
  /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
};

export interface RenamePlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag of the item as it was read, or several: nothing is changed where the item has another version by now. */
  ifMatch?: string | undefined;
  body: {
    /** The display name. */
    name?: (unknown & unknown) | undefined;
    /** Labels that are not named stay. null as a value removes the label; null instead of the object removes all labels. Keys and values have the syntax of Kubernetes labels: letters, digits, `-`, `_` and `.`, at most 63 characters; a key may have a DNS name and a slash as prefix. At most 32 labels of 2048 bytes in total. */
    labels?: (Record<string, string | null> | null) | undefined;
    /** Properties that are not named stay, also in nested objects. null as a value removes the property; null instead of the object removes all metadata. Any JSON object of at most 4096 bytes; Engawa does not interpret it. */
    metadata?: (Record<string, unknown> | null) | undefined;
  };
}

export type RenamePlaceOutput = {
  id: string;
  name: string;
  registeredAt: string;
  /** Incremented by each change; a part of the ETag. */
  version: number;
  /** Labels by key; absent if there are none. */
  labels?: Record<string, string> | undefined;
  /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
};

export interface DeletePlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag of the item as it was read, or several: nothing is changed where the item has another version by now. */
  ifMatch?: string | undefined;
}

export type DeletePlaceOutput = undefined;

export interface ListRoomsOfPlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** `name`: numbers in names by their value, such as Flat 2 before Flat 10. Each page then reads all of them, for a read unit per 4 KB; at most 5000. */
  order?: ('id' | 'name') | undefined;
  /** Maximum number of items; a page may have fewer although more follow. By default 100 for a page of JSON, and all for CSV and NDJSON. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
}

export type ListRoomsOfPlaceOutput = {
  items: {
    place: string;
    id: string;
    name: string;
    registeredAt: string;
    /** Incremented by each change; a part of the ETag. */
    version: number;
    /** Labels by key; absent if there are none. */
    labels?: Record<string, string> | undefined;
    /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
    metadata?: Record<string, unknown> | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface ListDevicesOfPlaceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  id: string;
  /** `name`: numbers in names by their value, such as Flat 2 before Flat 10. Each page then reads all of them, for a read unit per 4 KB; at most 5000. */
  order?: ('id' | 'name') | undefined;
  /** Maximum number of items; a page may have fewer although more follow. By default 100 for a page of JSON, and all for CSV and NDJSON. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
}

export type ListDevicesOfPlaceOutput = {
  items: {
    /** The id of the device. */
    device: string;
    name: string;
    kind: 'meter' | 'climate' | 'contact' | 'button' | 'other';
    /** The id of the room; absent for a device in no room. */
    room?: string | undefined;
    /** When the device came to this room, or to the place if it is in no room. */
    since: string;
    /** When the last event of the device at this place occurred. */
    lastEventAt?: string | undefined;
    /** The last event of the device at this place, such as `{ "contact": "open" }`. */
    lastEvent?: Record<string, number | string | boolean | null> | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface PlaceDeviceInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  device: string;
  /** The ETag of the device: a device that has changed since it was read is not moved. */
  ifMatch?: string | undefined;
  body: {
    /** The id of the room, unique in its place: 1 to 128 characters, percent-encoded. */
    room?: string | undefined;
    /** The time of the move, by default now: ISO 8601 with an offset, or epoch seconds or milliseconds. Must be later than the last move, and at most a minute in the future. */
    since?: (string | number) | undefined;
  };
}

export type PlaceDeviceOutput = {
  place: string;
  /** Absent for a time in no room of the place. */
  room?: string | undefined;
  since: string;
  /** Absent for the current period. */
  until?: string | undefined;
};

export interface TakeDeviceAwayInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  device: string;
  /** The ETag of the device: a device that has changed since it was read is not moved. */
  ifMatch?: string | undefined;
}

export type TakeDeviceAwayOutput = undefined;

export interface ListRoomsInput {
  /** The prefix of the name, ignoring case and width. */
  namePrefix?: string | undefined;
  /** With `true`, the accents of Latin letters do not count in `namePrefix`: `cafe` finds Café. A page then reads all names with the first letter of the prefix, and all that begin with an accented letter: about 21 read units per 1,000; it may be short and still have a cursor. */
  ignoreAccents?: boolean | undefined;
  /** Only items with this label: `label=floor=2` with this value, `label=floor` with any value. Up to 8 times; an item must have all of them. */
  label?: string[] | undefined;
  /** Maximum number of items; a page may have fewer although more follow. By default 100 for a page of JSON, and all for CSV and NDJSON. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
}

export type ListRoomsOutput = {
  items: {
    place: string;
    id: string;
    name: string;
    registeredAt: string;
    /** Incremented by each change; a part of the ETag. */
    version: number;
    /** Labels by key; absent if there are none. */
    labels?: Record<string, string> | undefined;
    /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
    metadata?: Record<string, unknown> | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetRoomInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, unique in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** Maximum number of items; a page may have fewer although more follow. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
}

export type GetRoomOutput = {
  place: string;
  id: string;
  name: string;
  registeredAt: string;
  /** Incremented by each change; a part of the ETag. */
  version: number;
  /** Labels by key; absent if there are none. */
  labels?: Record<string, string> | undefined;
  /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
  /** By id. */
  devices: {
    device: string;
    since: string;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface PutRoomInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, unique in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** The ETag of the item as it was read, or several, or *: the item is not created, and not changed where it has another version. */
  ifMatch?: string | undefined;
  /** `*`: the item is created, and an existing one not changed. */
  ifNoneMatch?: string | undefined;
  body: {
    /** The display name. */
    name: unknown & unknown;
    /** All labels: Keys and values have the syntax of Kubernetes labels: letters, digits, `-`, `_` and `.`, at most 63 characters; a key may have a DNS name and a slash as prefix. At most 32 labels of 2048 bytes in total. */
    labels?: Record<string, string> | undefined;
    /** All metadata: Any JSON object of at most 4096 bytes; Engawa does not interpret it. */
    metadata?: Record<string, unknown> | undefined;
  };
}

export type PutRoomOutput = {
  place: string;
  id: string;
  name: string;
  registeredAt: string;
  /** Incremented by each change; a part of the ETag. */
  version: number;
  /** Labels by key; absent if there are none. */
  labels?: Record<string, string> | undefined;
  /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
};

export interface RenameRoomInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, unique in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** The ETag of the item as it was read, or several: nothing is changed where the item has another version by now. */
  ifMatch?: string | undefined;
  body: {
    /** The display name. */
    name?: (unknown & unknown) | undefined;
    /** Labels that are not named stay. null as a value removes the label; null instead of the object removes all labels. Keys and values have the syntax of Kubernetes labels: letters, digits, `-`, `_` and `.`, at most 63 characters; a key may have a DNS name and a slash as prefix. At most 32 labels of 2048 bytes in total. */
    labels?: (Record<string, string | null> | null) | undefined;
    /** Properties that are not named stay, also in nested objects. null as a value removes the property; null instead of the object removes all metadata. Any JSON object of at most 4096 bytes; Engawa does not interpret it. */
    metadata?: (Record<string, unknown> | null) | undefined;
  };
}

export type RenameRoomOutput = {
  place: string;
  id: string;
  name: string;
  registeredAt: string;
  /** Incremented by each change; a part of the ETag. */
  version: number;
  /** Labels by key; absent if there are none. */
  labels?: Record<string, string> | undefined;
  /** A JSON object that a client has set; absent if there is none, and in lists by name without `place`. */
  metadata?: Record<string, unknown> | undefined;
};

export interface DeleteRoomInput {
  /** The id of the place: 1 to 128 characters, percent-encoded. */
  place: string;
  /** The id of the room, unique in its place: 1 to 128 characters, percent-encoded. */
  room: string;
  /** The ETag of the item as it was read, or several: nothing is changed where the item has another version by now. */
  ifMatch?: string | undefined;
}

export type DeleteRoomOutput = undefined;

export interface ListPlacementsInput {
  /** The id of the device: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Maximum number of items; a page may have fewer although more follow. By default 100 for a page of JSON, and all for CSV and NDJSON. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
}

export type ListPlacementsOutput = {
  items: {
    place: string;
    /** Absent for a time in no room of the place. */
    room?: string | undefined;
    since: string;
    /** Absent for the current period. */
    until?: string | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export const registryOperations = {
  /**
   * Devices by name or by last-seen time; with `silentFor` only silent devices.
   *
   * Sorted by name, or by when they were last seen: `lastSeen` has the longest silent first, `-lastSeen` the most recent
   * first. That order is exact to the hour, since updating it with each reading would cost three times as much as storing the reading.
   *
   * `silentFor` returns exactly the devices without a message for that time, longest silent first; devices without any message come
   * before them. For each device that was last seen within the hour before that time, its newest reading is looked up, for half a
   * read unit. So PT1H and more costs next to nothing; less than that costs half a unit per device.
   *
   * `status`, `kind`, `place`, `room` and `label` filter any of these lists; a device must match all of them. With `place`, the cost
   * grows with the place, without it with the whole list: a page may then have few devices, or none, and still a cursor.
   */
  listDevices: operation<ListDevicesInput, ListDevicesOutput>({
    method: 'GET',
    path: '/v1/devices',
    query: [
      'namePrefix',
      'ignoreAccents',
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
   * Register any number of devices.
   *
   * One device, an array, or one per line (NDJSON), processed as a stream. Existing devices are not changed. Idempotent: after a problem, or without a response, send the whole body again.
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
   * Register a device, or replace its properties.
   *
   * Properties that the body omits get their defaults, also for an existing device: the name is the id, the status is active, the kind is determined by the messages of the device (`other` until then). PATCH changes only the properties in its body. The placement and the readings are not affected.
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
   * With If-Match, the change is rejected if the device has changed since it was read. Without If-Match, the last change wins.
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
   * The device is deleted at once; its data is purged soon after. Newer readings are kept: with automatic registration, a device that continues to send is registered again, without its former data. A token that is restricted to places cannot delete a device that was at other places.
   */
  deleteDevice: operation<DeleteDeviceInput, DeleteDeviceOutput>({
    method: 'DELETE',
    path: '/v1/devices/{id}',
    query: [],
    headers: ['if-match'],
  }),
  /**
   * The corrections of a device, sorted by id.
   *
   * Includes undone corrections. Ids that begin with a time, such as ULIDs, are in the order of that time.
   */
  listCorrections: operation<ListCorrectionsInput, ListCorrectionsOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/corrections',
    query: ['limit', 'cursor', 'resumable'],
  }),
  /** A correction of readings. */
  getCorrection: operation<GetCorrectionInput, GetCorrectionOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/corrections/{correction}',
    query: [],
  }),
  /**
   * Correct readings of a device: delete, replace or ignore them, or mark a counter reset.
   *
   * A correction applies to all readings of its range, including later ones, until it is undone. Stored readings are not changed. Corrections apply in the order of their creation. The request is idempotent. The query service applies the correction within 5 seconds, also to aggregates. A correction by a token that is restricted to places applies only to the times in which the device is at one of them, and ends when the device moves to another place.
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
   * Readings are shown as before the correction. The undone correction stays in the list, with the time and the client of the undo; its id cannot be used again. The request is idempotent.
   */
  undoCorrection: operation<UndoCorrectionInput, UndoCorrectionOutput>({
    method: 'DELETE',
    path: '/v1/devices/{id}/corrections/{correction}',
    query: [],
    headers: ['if-match'],
  }),
  /** The places, sorted by name. */
  listPlaces: operation<ListPlacesInput, ListPlacesOutput>({
    method: 'GET',
    path: '/v1/places',
    query: ['namePrefix', 'ignoreAccents', 'label', 'limit', 'cursor', 'resumable'],
  }),
  /**
   * Create any number of places with their rooms.
   *
   * One place, an array, or one per line (NDJSON), processed as a stream. Existing places and rooms are not changed. Idempotent: after a problem, or without a response, send the whole body again.
   */
  createPlaces: operation<CreatePlacesInput, CreatePlacesOutput>({
    method: 'POST',
    path: '/v1/places',
    query: [],
    type: 'application/json',
  }),
  /**
   * A place with its rooms and its devices, each with its last event.
   *
   * Devices before rooms, each sorted by id. Further pages follow by cursor, and each has the place itself.
   */
  getPlace: operation<GetPlaceInput, GetPlaceOutput>({
    method: 'GET',
    path: '/v1/places/{id}',
    query: ['limit', 'cursor'],
  }),
  /**
   * Create or rename a place.
   *
   * An existing place keeps its rooms and devices. Labels and metadata are replaced; without them in the body, they are removed.
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
   * The place is deleted at once; its rooms and its history are purged soon after. Its devices and their readings are kept; the devices then have no placement. A token that is restricted to places can delete a place without devices only.
   */
  deletePlace: operation<DeletePlaceInput, DeletePlaceOutput>({
    method: 'DELETE',
    path: '/v1/places/{id}',
    query: [],
    headers: ['if-match'],
  }),
  /** The rooms of a place, sorted by id or by name. */
  listRoomsOfPlace: operation<ListRoomsOfPlaceInput, ListRoomsOfPlaceOutput>({
    method: 'GET',
    path: '/v1/places/{id}/rooms',
    query: ['order', 'limit', 'cursor', 'resumable'],
  }),
  /** The devices at a place, sorted by id or by name, each with its last event. */
  listDevicesOfPlace: operation<ListDevicesOfPlaceInput, ListDevicesOfPlaceOutput>({
    method: 'GET',
    path: '/v1/places/{id}/devices',
    query: ['order', 'limit', 'cursor', 'resumable'],
  }),
  /**
   * Place or move a device.
   *
   * Without `room` the device is in no room of the place. The request is idempotent: a device that is already at the location keeps its `since`.
   */
  placeDevice: operation<PlaceDeviceInput, PlaceDeviceOutput>({
    method: 'PUT',
    path: '/v1/places/{place}/devices/{device}',
    query: [],
    headers: ['if-match'],
    type: 'application/json',
  }),
  /**
   * Remove a device from a place.
   *
   * The device then has no placement. The histories of the device and of the place keep the former placement. A token that is restricted to places cannot remove a device from its place, only move it to another one.
   */
  takeDeviceAway: operation<TakeDeviceAwayInput, TakeDeviceAwayOutput>({
    method: 'DELETE',
    path: '/v1/places/{place}/devices/{device}',
    query: [],
    headers: ['if-match'],
  }),
  /** The rooms of all places, sorted by name. */
  listRooms: operation<ListRoomsInput, ListRoomsOutput>({
    method: 'GET',
    path: '/v1/rooms',
    query: ['namePrefix', 'ignoreAccents', 'label', 'limit', 'cursor', 'resumable'],
  }),
  /** A room and the devices in it now. */
  getRoom: operation<GetRoomInput, GetRoomOutput>({
    method: 'GET',
    path: '/v1/rooms/{place}/{room}',
    query: ['limit', 'cursor'],
  }),
  /**
   * Create or rename a room of a place.
   *
   * An existing room keeps its devices. Labels and metadata are replaced; without them in the body, they are removed.
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
   * The room is deleted at once; its history is purged soon after. Its devices and their readings are kept; the devices stay at the place, in no room.
   */
  deleteRoom: operation<DeleteRoomInput, DeleteRoomOutput>({
    method: 'DELETE',
    path: '/v1/rooms/{place}/{room}',
    query: [],
    headers: ['if-match'],
  }),
  /**
   * The current and former locations of a device, newest first.
   *
   * Eventually consistent: a move may appear a moment later.
   */
  listPlacements: operation<ListPlacementsInput, ListPlacementsOutput>({
    method: 'GET',
    path: '/v1/devices/{id}/placements',
    query: ['limit', 'cursor', 'resumable'],
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
