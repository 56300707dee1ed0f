import type { Rejection } from '../refusals/rejection.ts';
import type { BirthStore } from './sparkplug/birth-store.ts';
import type { RebirthRequests } from './sparkplug/rebirth-requests.ts';
import type { TopicFilter } from './topic-filter.ts';

/** One reading as a decoder found it in a payload: neither its time nor its fields are checked yet. */
export interface Draft {
  /** Whatever the payload gave as the reading's time; `undefined` when it gave none. A number may be seconds, a Date is certain. */
  time: unknown;
  /** What the payload calls the time, for the person who reads why it was refused; `ts` where it is not given. */
  timeName?: string;
  /** By name; values may still be nested. */
  fields: Readonly<Record<string, unknown>>;
  /** Why it is no reading. */
  rejection?: Rejection;
  /** Whether it was measured before: it is no sign that the device is there now. */
  isHistorical?: boolean;
  /** What a dead letter names it by; its place among the drafts where there is none. */
  index?: number;
  /** The index of the draft that it would be in if it were not bad. */
  within?: number;
}

export interface Decoded {
  /** From the topic, which the broker authorised; never from the payload. */
  device: string;
  /** None when nothing in the message is a reading: a command, a discovery document, an availability. */
  drafts: Draft[];
  /** Whether the sender already gathered the readings, so that waiting for more would gain nothing. */
  gathered: boolean;
  /** Readings of other devices that follow from the message. */
  others?: readonly Decoded[];
  /** Resolves when what the decoder has to remember of the message is durable; until then it is not acknowledged. */
  remembered?: Promise<unknown>;
}

/** A message as a decoder gets it. */
export interface Source {
  /** The filter that the topic matched. */
  filter: TopicFilter;
  /** The topic's levels. */
  levels: readonly string[];
  payload: Uint8Array;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** Of a dead letter that is replayed: the indexes of the drafts that it is about, or an empty list for all of them. */
  replayed?: readonly number[];
}

/** Beside decoding, what a decoder that remembers messages wants to hear of. */
export interface Decode {
  /**
   * At once, unless the decoder has to look something up in the table first.
   * @throws Rejection, and nothing else, when the payload is not of this kind at all; a promise also rejects with Interrupted
   */
  (source: Source): Decoded | Promise<Decoded>;
  /** A message on this topic could not be taken. */
  missed?(levels: readonly string[]): void;
  /** The connection was interrupted: messages may have been missed. */
  reconnected?(): void;
}

/** @param levels of the topic */
export type PartitionKey = (levels: readonly string[]) => string;

/** What a kind of device publishes, ready to be decoded. */
export interface Decoder {
  /** A label of metrics. */
  name: string;
  /** What to subscribe to; replicas may share the messages. */
  filters: readonly TopicFilter[];
  /** Of these every replica must get every message, because what it says is needed to understand later ones. */
  unshared: readonly string[];
  /** Messages with equal keys are stored by the same replica; the topic itself when absent. */
  partitionKey?: PartitionKey | undefined;
  decode: Decode;
}

export interface DecoderOptions {
  /** IANA name of the time zone of clocks that say no offset. */
  timeZone: string;
  /** Sections of Tasmota's telemetry that stand for the device; a device has one of them at most. */
  tasmotaMainSensors: readonly string[];
  /** Where births outlive the process; without it they do not. */
  births?: BirthStore;
  /** Without it no node is asked for its birth. */
  rebirths?: RebirthRequests;
}

/** What a file in this folder exports: a decoder before anything is configured. */
export interface DecoderKind {
  name: string;
  /** The topics that devices of this kind use unless they are told otherwise. */
  defaultFilters: readonly string[];
  /** Of messages that the filter lets through, those that every replica must get. */
  unshared?: (filter: TopicFilter) => readonly string[];
  /** Where messages of several topics are understood only together. */
  partitionKey?: PartitionKey;
  /** Called once for each process: what is remembered between messages belongs in here. */
  create: (options: DecoderOptions) => Decode;
}

/** There is nothing in the message that is a reading. */
export function ignored(): Decoded {
  return { device: '', drafts: [], gathered: false };
}

/** One reading, or none where there is no field to be read. */
export function oneReading(
  device: string,
  time: unknown,
  fields: Readonly<Record<string, unknown>>,
): Decoded {
  const empty = Object.keys(fields).length === 0;
  return { device, drafts: empty ? [] : [{ time, fields }], gathered: false };
}
