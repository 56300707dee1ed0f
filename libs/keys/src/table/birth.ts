import { instant } from '../segments/instant.ts';
import { id } from '../segments/text.ts';
import { tuplePrefix } from '../tuple.ts';
import { partitionKey, sortKey } from './key.ts';
import type { Key } from './key.ts';

export interface BirthAddress {
  /** `<group>/<node>`. */
  node: string;
  /** Absent for the birth of the node itself. */
  device?: string | undefined;
  /** Epoch milliseconds, by the clock of the node. */
  timestamp: number;
}

/** The births of a Sparkplug edge node and of its devices. */
export function birthPartition(node: string): string {
  return partitionKey('node', ['BIRTHS', id('node', node)]);
}

export function birthKey({ node, device, timestamp }: BirthAddress): Key {
  const segments = [...birthSegments(device), instant('timestamp', timestamp)];
  return { pk: birthPartition(node), sk: sortKey('device', segments) };
}

/** The prefix of the sort keys of one device's births; without a device, of the node's own. */
export function birthPrefix(device?: string): string {
  return tuplePrefix(birthSegments(device));
}

/** The prefix of the sort keys of the births of all devices of a node. */
export const deviceBirthsPrefix = tuplePrefix(['DEVICE']);

function birthSegments(device: string | undefined): string[] {
  return device === undefined ? ['NODE'] : ['DEVICE', id('device', device)];
}
