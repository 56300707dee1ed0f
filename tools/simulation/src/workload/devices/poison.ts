import type { Random } from '../../kernel/index.ts';
import type { DeviceMessage } from './device-message.ts';

/** No two of one length, by which lists tell them apart. */
const poisons = [
  '{"temperature":',
  'no JSON',
  '',
  '{"temperature":1e400}',
  '[]',
  '{"ts":"yesterday","temperature":1}',
  '{"ts":1}',
] as const;

/** What has no reading in it: equal ones come again and again, as from a device with a defect. */
export function poisonOf(name: string, random: Random): DeviceMessage {
  const payload = random.pick(poisons);
  return { topic: `engawa/${name}/readings`, payload, retain: false, readings: [], isPoison: true };
}
