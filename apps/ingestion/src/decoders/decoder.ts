import type { Rejection } from '../refusals/rejection.ts';
import type { BirthStore } from './sparkplug/birth-store.ts';
import type { RebirthRequests } from './sparkplug/rebirth-requests.ts';
import type { MatchedTopic, TopicFilter } from './topic-filter.ts';

/** A reading of a payload whose time and fields are not checked yet. */
export interface Draft {
  /**
   * The value of the payload's time; `undefined` if there is none. A number may be seconds or milliseconds, a Date is
   * exact.
   */
  time: unknown;
  /** Name of the time in the payload, for error messages; `ts` by default. */
  timeName?: string;
  /** By name; values may be nested. */
  fields: Readonly<Record<string, unknown>>;
  /** The reason why the draft is not a reading. */
  rejection?: Rejection;
  /** The reading was measured earlier: it does not prove that the device is sending now. */
  isHistorical?: boolean;
  /** Index by which a dead letter names the draft; its position among the drafts by default. */
  index?: number;
  /** Of a replayed dead letter: names of the fields that are stored already. Only the others are stored. */
  storedFields?: readonly string[];
  /** Index of the draft that would contain this one if it were valid. */
  within?: number;
}

export interface Decoded {
  /** From the topic, which the broker authorizes; never from the payload. */
  device: string;
  /** Empty if the message contains no reading: a command, a discovery document, an availability message. */
  drafts: Draft[];
  /** The sender has batched the readings, so they do not wait for others. */
  isBatched: boolean;
  /** Readings of other devices that follow from the message. */
  others?: readonly Decoded[];
  /** Resolves when the decoder's changed state is durable; the message is not acknowledged before. */
  remembered?: Promise<unknown>;
  /** The message matched a default filter, and its payload does not prove the decoder's brand. */
  isUnproven?: true;
}

/** A message as decoders receive it. */
export interface Source {
  /** The filter that the topic matched. */
  filter: TopicFilter;
  /** The topic's levels. */
  levels: readonly string[];
  payload: Uint8Array;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** For a replayed dead letter: the indexes of its drafts; empty for all drafts. */
  replayed?: readonly number[];
}

/** Decodes messages. Decoders with state also implement the other methods. */
export interface Decode {
  /**
   * Synchronous, unless the decoder has to read the table first.
   * @throws Rejection, and no other error, when the payload does not have the decoder's format; a promise also rejects
   * with Interrupted
   */
  (source: Source): Decoded | Promise<Decoded>;
  /** A message of this topic could not be received. */
  missed?(topic: MatchedTopic): void;
  /** The connection was interrupted: messages may have been missed. */
  reconnected?(): void;
  /** The table was deleted and created again: what the decoder has stored in it is gone. */
  tableReplaced?(): void;
}

/** @param levels of the topic */
export type PartitionKey = (levels: readonly string[]) => string;

/** A configured decoder for one kind of payload. */
export interface Decoder {
  /** Label in metrics. */
  name: string;
  /** Topic filters to subscribe to; replicas may share the messages. */
  filters: readonly TopicFilter[];
  /**
   * Topic filters of messages that every replica must receive, because later messages cannot be decoded without them.
   */
  unshared: readonly string[];
  /** Messages with equal keys are stored by the same replica. By default the key is the topic. */
  partitionKey?: PartitionKey | undefined;
  /** The device that a topic names; undefined for a topic without readings. */
  deviceOf: (topic: MatchedTopic) => string | undefined;
  decode: Decode;
}

/**
 * Which levels of a configured topic are in a device's id: `distinct` also those that distinguish filters of a decoder,
 * and those of a base topic that a wildcard matches; `short` only those that versions up to 0.2.0 used.
 */
export type DeviceIds = 'distinct' | 'short';

export interface DeviceIdOptions {
  deviceIds: DeviceIds;
}

export interface DecoderOptions extends DeviceIdOptions {
  /** IANA name of the time zone of clocks that give no offset. */
  timeZone: string;
  /** Sections of Tasmota's telemetry whose quantities are the device's own; a device has at most one of them. */
  tasmotaMainSensors: readonly string[];
  /** Stores births in the table; without it they are lost when the process ends. */
  births?: BirthStore;
  /** Requests births from nodes; without it none are requested. */
  rebirths?: RebirthRequests;
}

/** A decoder before configuration: the export of a file in this folder. */
export interface DecoderKind {
  name: string;
  /** The default topics of these devices. */
  defaultFilters: readonly string[];
  /** Topic filters, within the given filter, of messages that every replica must receive. */
  unshared?: (filter: TopicFilter) => readonly string[];
  /** For messages of several topics that can be decoded only together. */
  partitionKey?: PartitionKey;
  /** The device that a topic names; undefined for a topic without readings. */
  deviceOf: (topic: MatchedTopic, options: DeviceIdOptions) => string | undefined;
  /** Called once per process: state between messages belongs in the result. */
  create: (options: DecoderOptions) => Decode;
}

/** The message contains no reading. */
export function ignored(): Decoded {
  return { device: '', drafts: [], isBatched: false };
}

const unprovenMessage: Decoded = Object.freeze({
  device: '',
  drafts: [],
  isBatched: false,
  isUnproven: true,
});

/**
 * The payload may be of another brand or program: the next decoder whose filter matches the topic receives the message.
 * Only for default filters; with a filter of the user's, the same payload is refused.
 */
export function unproven(): Decoded {
  return unprovenMessage;
}

/** One reading, or none without fields. */
export function oneReading(
  device: string,
  time: unknown,
  fields: Readonly<Record<string, unknown>>,
): Decoded {
  const empty = Object.keys(fields).length === 0;
  return { device, drafts: empty ? [] : [{ time, fields }], isBatched: false };
}
