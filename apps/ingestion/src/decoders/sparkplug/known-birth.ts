import type { Birth, BirthMetric } from '@engawa/model';
import type { Mapping } from './mapping.ts';

/** Births of one node, or of one device of it, that are kept: the current one and earlier ones. */
export const maxBirths = 16;

/** A birth as it is in memory. */
export interface KnownBirth extends Omit<Birth, 'metrics' | 'device'> {
  /** Empty for the node itself. */
  device: string;
  /** Undefined where there was a birth whose metrics are not known. */
  mapping: Mapping | undefined;
}

/** A birth as it was received. */
export interface ReceivedBirth {
  /** `<group>/<node>`. */
  node: string;
  /** Empty for the node itself. */
  device: string;
  /** Epoch milliseconds, by the clock of the node. */
  timestamp: number;
  metrics: readonly BirthMetric[];
  bdSeq: string | undefined;
}

/** Which data it is, that asks what its aliases mean. */
export interface DataTime {
  node: string;
  /** Empty for the node itself. */
  device: string;
  /** Epoch milliseconds of the payload, by the clock of the node. */
  timestamp: number;
  /** Epoch milliseconds, by our clock. */
  receivedAt: number;
  /** Whether it has been received some time ago; else it comes after all that is known. */
  isReplayed: boolean;
}

/** What is to be stored, and what need not be any more. */
export interface BirthChange {
  birth: KnownBirth;
  evicted: readonly KnownBirth[];
}

export interface BirthsOfDevice {
  /** In the order of epochs, then of timestamps. */
  births: KnownBirth[];
  size: number;
  /** As of which generation all that was stored is in memory. */
  generation: number | undefined;
}

export interface BirthsOfNode {
  /** By device, empty for the node itself. */
  devices: Map<string, BirthsOfDevice>;
  /** As of which generation all devices that were stored are in memory. */
  generation: number | undefined;
  size: number;
}

export function isSameTime(left: KnownBirth, right: KnownBirth): boolean {
  return left.epoch === right.epoch && left.timestamp === right.timestamp;
}

export function inOrder(left: KnownBirth, right: KnownBirth): number {
  return left.epoch - right.epoch || left.timestamp - right.timestamp;
}

/** Births of a device mostly say the same again: in memory that is there once. */
export function shareMapping(birth: KnownBirth, known: readonly KnownBirth[]): KnownBirth {
  const { mapping } = birth;
  const equal = mapping && known.find((each) => each.mapping?.equals(mapping) === true);
  return equal === undefined ? birth : { ...birth, mapping: equal.mapping };
}

/** One, one for each birth, and what its mapping takes where that is not the mapping of another. */
export function sizeOf(births: readonly KnownBirth[]): number {
  const mappings = new Set(births.map(({ mapping }) => mapping));
  return mappings.values().reduce((sum, mapping) => sum + (mapping?.size ?? 0), 1 + births.length);
}
