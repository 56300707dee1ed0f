import type { PublishProperties } from '../../broker/index.ts';
import type { Random } from '../../kernel/index.ts';
import type { DeviceMessage } from './device-message.ts';

/** Undecodable payloads of different lengths, by which lists of dead letters distinguish them. */
const smallPoisons = [
  '{"temperature":',
  'no JSON',
  '',
  '{"temperature":1e400}',
  '[]',
  '{"ts":"yesterday","temperature":1}',
  '{"ts":1}',
  '{"__proto__":{"temperature":1e400}}',
] as const;
const poisons = [
  ...smallPoisons,
  '['.repeat(20_000),
  // Exceeds the maximum size of an item in the table.
  'x'.repeat(300_000),
] as const;

/** Topics without a valid device: each message becomes a dead letter. */
const topicsOf = (name: string) => [
  `engawa/${name}/readings`,
  `engawa/${name}/readings`,
  'engawa/__proto__/readings',
  'engawa/居間 「$」\u0001/readings',
];

/** Created with Object.fromEntries, since a literal would set its prototype with `__proto__`. */
const userProperties = [
  undefined,
  undefined,
  Object.fromEntries([['__proto__', 'polluted']]),
  Object.fromEntries([
    ['', ''],
    ['constructor', 'a'],
    ['n'.repeat(5000), '値'.repeat(5000)],
  ]),
] as const;

/** An undecodable message. Equal messages repeat, as from a defective device. */
export function poisonOf(name: string, random: Random): DeviceMessage {
  const payload = random.pick(poisons);
  const properties: PublishProperties = { userProperties: random.pick(userProperties) };
  const topic = random.pick(topicsOf(name));
  return { topic, payload, properties, retain: false, readings: [], isPoison: true };
}

/** An undecodable message of few bytes, which can be sent many times without much memory. */
export function smallPoisonOf(name: string, random: Random): DeviceMessage {
  const [payload, topic] = [random.pick(smallPoisons), random.pick(topicsOf(name))];
  return { topic, payload, retain: false, readings: [], isPoison: true };
}
