import { UnfitNumber } from '@engawa/model';
import { Rejection } from '../rejection.ts';
import { ignored } from './decoder.ts';
import { exact } from './quantities.ts';
import { Births } from './sparkplug-births.ts';
import { parseSparkplug } from './sparkplug-payload.ts';
import type { Decoded, DecoderKind, Draft } from './decoder.ts';
import type { BirthLimits } from './sparkplug-births.ts';
import type { Metric, RawValue, SparkplugPayload } from './sparkplug-payload.ts';
import type { TopicFilter } from './topic-filter.ts';

/** The first level of every topic (Sparkplug 3.0, 4.1). */
const namespace = 'spBv1.0';

const longestAddress = 128;

const messageType = /^(N|D)(BIRTH|DATA|DEATH)$/;

/** Bits of whole numbers, by data type; negative where they are signed (Sparkplug 3.0, 6.4.16). */
const integerBits: ReadonlyMap<number | undefined, number> = new Map([
  [1, -8],
  [2, -16],
  [3, -32],
  [4, -64],
  [5, 8],
  [6, 16],
  [7, 32],
  [8, 64],
  [13, 64], // DateTime, in epoch milliseconds
]);

interface Address {
  node: string;
  /** Empty when it is the node itself. */
  device: string;
  event: string;
}

/** Sparkplug B: nodes, their devices, births, data and deaths. */
export const sparkplug: DecoderKind = {
  name: 'sparkplug',
  defaultFilters: [`${namespace}/+/+/+`, `${namespace}/+/+/+/+`],
  unshared: birthFilters,
  partitionKey: edgeNodeOf,
  create: () => createSparkplug(),
};

export function createSparkplug(limits?: BirthLimits): ReturnType<DecoderKind['create']> {
  const births = new Births(limits);
  return ({ levels, payload }) => {
    const address = addressOf(levels);
    if (address === undefined) return ignored();
    const body = parseSparkplug(payload);
    const { node, device, event } = address;
    if (event === 'BIRTH') births.replace(node, device, body);
    return {
      device: device === '' ? node : `${node}/${device}`,
      ...toDrafts(body, address, births),
    };
  };
}

/** `…/spBv1.0/<group>/<type>/<node>[/<device>]`; commands and the state of hosts are none of ours. */
function addressOf(levels: readonly string[]): Address | undefined {
  const [group = '', type = '', node = '', device] = levels.slice(levels.indexOf(namespace) + 1);
  const [, subject, event] = messageType.exec(type) ?? [];
  if (subject === undefined || event === undefined) return undefined;
  const expected = subject === 'N' ? 3 : 4;
  if (levels.length - levels.indexOf(namespace) - 1 !== expected) {
    throw new Rejection(
      'bad_device',
      `a topic of ${type} has ${expected} levels after ${namespace}`,
    );
  }
  if (group === '' || node === '' || device === '') {
    throw new Rejection('bad_device', 'a level of the topic is empty');
  }
  // What is remembered of it must not be large either; ids have at most so many characters.
  const address = { node: `${group}/${node}`, device: device ?? '', event };
  if (address.node.length + address.device.length > longestAddress) {
    throw new Rejection('bad_device', `its levels have more than ${longestAddress} characters`);
  }
  return address;
}

/** `…/spBv1.0/<group>/<node>`: births, data and deaths of a node and of its devices belong together. */
function edgeNodeOf(levels: readonly string[]): string {
  const base = levels.indexOf(namespace);
  const [group = '', , node = ''] = levels.slice(base + 1);
  return [...levels.slice(0, base + 1), group, node].join('/');
}

/** Births tell what later messages mean, and a replica has to understand those of any device. */
function birthFilters({ text, levels }: TopicFilter): readonly string[] {
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

function toDrafts(
  { timestamp, metrics }: SparkplugPayload,
  address: Address,
  births: Births,
): Omit<Decoded, 'device'> {
  // The broker sends a node's death for it, with the time at which the node gave it: that of its connecting.
  const isWill = address.event === 'DEATH' && address.device === '';
  const groups = new Groups();
  if (address.event !== 'DATA') {
    groups.add(isWill ? undefined : timestamp, 'online', address.event === 'BIRTH');
  }
  for (const metric of metrics) {
    const { name, datatype } = identify(metric, address, births);
    const time = isWill ? undefined : (metric.timestamp ?? timestamp);
    if (metric.value.kind === 'unsupported') groups.refuse(time, name);
    else groups.add(time, name, toValue(metric.value, datatype, name));
  }
  const drafts = groups.drafts();
  return { drafts, gathered: drafts.length > 1 };
}

function identify(
  { name, alias, datatype }: Metric,
  { node, device, event }: Address,
  births: Births,
): { name: string; datatype: number | undefined } {
  if (name !== undefined) {
    const type = event === 'DATA' ? births.byName(node, device, name)?.datatype : undefined;
    return { name, datatype: datatype ?? type };
  }
  if (alias === undefined) {
    throw new Rejection('malformed', 'a metric has neither a name nor an alias');
  }
  const born = births.byAlias(node, device, alias);
  if (born !== undefined) return { name: born.name, datatype: datatype ?? born.datatype };
  throw new Rejection(
    'unknown_alias',
    `no birth has been seen that names the metric ${alias}: ask the node for a rebirth, then replay this`,
  );
}

function toValue(
  raw: Exclude<RawValue, { kind: 'unsupported' }>,
  datatype: number | undefined,
  name: string,
): unknown {
  if (raw.kind === 'integer') return integer(raw, datatype, name);
  return typeof raw.value === 'number' ? exact(String(raw.value)) : raw.value;
}

/** Negative ones are in two's complement, of the type's own width or of the field's that holds it. */
function integer(
  { bits, width }: { bits: bigint; width: 32 | 64 },
  datatype: number | undefined,
  name: string,
): unknown {
  const size = integerBits.get(datatype);
  if (size === undefined) {
    if (bits >> BigInt(width - 1) === 0n) return exact(String(bits));
    throw new Rejection(
      'unknown_alias',
      `no birth has been seen that gives the type of the metric ${JSON.stringify(name)}, which may be negative`,
    );
  }
  const own = Math.abs(size);
  const value = size < 0 ? BigInt.asIntN(own, bits) : BigInt.asUintN(own, bits);
  const fits = bits >> BigInt(own) === 0n || BigInt.asIntN(width, bits) === value;
  return fits ? exact(String(value)) : new UnfitNumber('a number out of the range of its type');
}

/** Metrics gathered by their time; one given twice for the same time is another reading. */
class Groups {
  readonly #groups = new Map<string, { time: number | undefined; fields: Map<string, unknown> }>();
  readonly #given = new Map<string, number>();

  add(time: number | undefined, name: string, value: unknown): void {
    const occurrence = this.#given.get(`${time} ${name}`) ?? 0;
    this.#given.set(`${time} ${name}`, occurrence + 1);
    this.#group(time, `${time} ${occurrence}`).set(name, value);
  }

  /** A reading of its own, so that it is refused and the others are not. */
  refuse(time: number | undefined, name: string): void {
    const reason = 'a data set, template, file or array of bytes, which is not kept';
    this.#group(time, `refused ${this.#groups.size}`).set(name, new UnfitNumber(reason));
  }

  drafts(): Draft[] {
    return Array.from(this.#groups.values(), ({ time, fields }) => ({
      time,
      fields: Object.fromEntries(fields),
    }));
  }

  #group(time: number | undefined, key: string): Map<string, unknown> {
    const group = this.#groups.get(key) ?? { time, fields: new Map<string, unknown>() };
    this.#groups.set(key, group);
    return group.fields;
  }
}
