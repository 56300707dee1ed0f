import { id, KeyError } from '@engawa/keys';
import { Rejection } from '../../refusals/rejection.ts';
import type { TopicFilter } from '../topic-filter.ts';

/** The first level of every topic (Sparkplug 3.0, 4.1). */
export const namespace = 'spBv1.0';

const messageType = /^(N|D)(BIRTH|DATA|DEATH)$/;

/** The sender of a message, from its topic. */
export interface Address {
  /** `<group>/<node>`, after the prefix of the base topic. */
  node: string;
  /** Empty for the node itself. */
  device: string;
  event: 'BIRTH' | 'DATA' | 'DEATH';
  /** Topic of commands to the node. */
  commandTopic: string;
}

/**
 * `…/spBv1.0/<group>/<type>/<node>[/<device>]`; undefined for commands and the state of hosts.
 * @param prefix distinguishes nodes below several base topics; often empty
 * @throws Rejection when a level is missing or is not an id
 */
export function addressOf(levels: readonly string[], prefix = ''): Address | undefined {
  const base = levels.slice(0, levels.indexOf(namespace) + 1);
  const [group = '', type = '', node = '', device] = levels.slice(base.length);
  const [, subject, event] = messageType.exec(type) ?? [];
  if (subject === undefined || event === undefined) return undefined;
  const expected = subject === 'N' ? 3 : 4;
  if (levels.length - base.length !== expected) {
    throw new Rejection('topic-levels', { messageType: type, levels: expected });
  }
  if (group === '' || node === '' || device === '') {
    throw new Rejection('topic-level-empty');
  }
  return {
    ...checked(`${prefix}${group}/${node}`, device),
    event: event as Address['event'], // the pattern matches no other types
    commandTopic: [...base, group, 'NCMD', node].join('/'),
  };
}

/** The id of the device that readings of this address belong to. */
export function deviceIdOf(node: string, device: string): string {
  return device === '' ? node : `${node}/${device}`;
}

/** Group and node are part of keys and held in memory: both, and the combination, must be ids. */
function checked(node: string, device: string | undefined) {
  try {
    id('device id', deviceIdOf(node, device ?? ''));
    return { node: id('node', node), device: device === undefined ? '' : id('device', device) };
  } catch (error) {
    if (error instanceof KeyError)
      throw new Rejection('device-invalid', { message: error.message });
    throw error;
  }
}

/** `…/spBv1.0/<group>/<node>`: births, data and deaths of a node and its devices belong together. */
export function edgeNodeOf(levels: readonly string[]): string {
  const base = levels.indexOf(namespace);
  const [group = '', , node = ''] = levels.slice(base + 1);
  return [...levels.slice(0, base + 1), group, node].join('/');
}

/** Births define the meaning of later messages, and a replica must understand those of any device. */
export function birthFilters({ text, levels }: TopicFilter): readonly string[] {
  const base = levels.indexOf(namespace);
  if (base < 0) throw new RangeError(`${JSON.stringify(text)} must have the level ${namespace}`);
  const open = levels.at(-1) === '#';
  const fixed = open ? levels.slice(0, -1) : levels;
  return [['NBIRTH', base + 4] as const, ['DBIRTH', base + 5] as const].flatMap(
    ([type, length]) => {
      if (open ? fixed.length > length : fixed.length !== length) return [];
      const padded = Array.from({ length }, (_, index) => fixed[index] ?? '+');
      if (padded[base + 2] !== '+' && padded[base + 2] !== type) return [];
      return [padded.with(base + 2, type).join('/')];
    },
  );
}
