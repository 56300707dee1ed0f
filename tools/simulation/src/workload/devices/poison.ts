import type { PublishProperties } from '../../broker/index.ts';
import type { Random } from '../../kernel/index.ts';
import type { DeviceMessage } from './device-message.ts';

/** No two of one length, by which lists tell them apart. */
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
  // More than one item of the table holds.
  'x'.repeat(300_000),
] as const;

/** Topics that few devices have among them: a message of each becomes a dead letter. */
const topicsOf = (name: string) => [
  `engawa/${name}/readings`,
  `engawa/${name}/readings`,
  'engawa/__proto__/readings',
  'engawa/居間 「$」\u0001/readings',
];

/** As an object of Object.fromEntries, whose own name `__proto__` is one like any other. */
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

/** What has no reading in it: equal ones come again and again, as from a device with a defect. */
export function poisonOf(name: string, random: Random): DeviceMessage {
  const payload = random.pick(poisons);
  const properties: PublishProperties = { userProperties: random.pick(userProperties) };
  const topic = random.pick(topicsOf(name));
  return { topic, payload, properties, retain: false, readings: [], isPoison: true };
}

/** One that is sent very many times: of few bytes, so that the world stays small. */
export function smallPoisonOf(name: string, random: Random): DeviceMessage {
  const [payload, topic] = [random.pick(smallPoisons), random.pick(topicsOf(name))];
  return { topic, payload, retain: false, readings: [], isPoison: true };
}
