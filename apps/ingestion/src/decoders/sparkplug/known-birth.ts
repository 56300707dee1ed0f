import type { Birth, BirthMetric } from '@engawa/model';
import type { Mapping } from './mapping.ts';

/** Number of births per node or device that are kept: the current one and earlier ones. */
export const maxBirths = 16;

export interface BirthLimits {
  nodes: number;
  /** Over all nodes. Bounds the memory: about 200 bytes per metric. */
  metrics: number;
}

/** A birth in memory. */
export interface KnownBirth extends Omit<Birth, 'metrics' | 'device'> {
  /** Empty for the node itself. */
  device: string;
  /** Undefined for a birth whose metrics are unknown. */
  mapping: Mapping | undefined;
}

/** A received birth. */
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

/** Identifies data whose aliases are resolved. */
export interface DataTime {
  node: string;
  /** Empty for the node itself. */
  device: string;
  /** Epoch milliseconds of the payload, by the clock of the node. */
  timestamp: number;
  /** Epoch milliseconds, by the clock of this process. */
  receivedAt: number;
  /** The data is from a replayed dead letter; otherwise it is later than everything known. */
  isReplayed: boolean;
}

/** A birth to store, and births to delete. */
export interface BirthChange {
  birth: KnownBirth;
  evicted: readonly KnownBirth[];
}

export interface BirthsOfDevice {
  /** Orders by epoch, then by timestamp. */
  births: KnownBirth[];
  size: number;
  /** The generation in which all stored births were in memory. */
  generation: number | undefined;
}

export interface BirthsOfNode {
  /** By device; empty for the node itself. */
  devices: Map<string, BirthsOfDevice>;
  /** The generation in which the births of all devices were in memory. */
  generation: number | undefined;
  size: number;
}

export function isSameTime(left: KnownBirth, right: KnownBirth): boolean {
  return left.epoch === right.epoch && left.timestamp === right.timestamp;
}

export function inOrder(left: KnownBirth, right: KnownBirth): number {
  return left.epoch - right.epoch || left.timestamp - right.timestamp;
}

/** Births of a device are mostly equal: their mapping is in memory once. */
export function shareMapping(birth: KnownBirth, known: readonly KnownBirth[]): KnownBirth {
  const { mapping } = birth;
  const equal = mapping && known.find((each) => each.mapping?.equals(mapping) === true);
  return equal === undefined ? birth : { ...birth, mapping: equal.mapping };
}

/** One per birth, plus the size of its mapping if no other birth shares it. */
export function sizeOf(births: readonly KnownBirth[]): number {
  const mappings = new Set(births.map(({ mapping }) => mapping));
  return mappings.values().reduce((sum, mapping) => sum + (mapping?.size ?? 0), 1 + births.length);
}
