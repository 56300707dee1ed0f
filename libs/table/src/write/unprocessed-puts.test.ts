import { KeyQueues } from './key-queues.ts';
import { pendingPut } from './pending-put.ts';
import { queueUnprocessed } from './unprocessed-puts.ts';
import type { PendingPut } from './pending-put.ts';

const putOf = (pk: string): PendingPut => pendingPut({ pk, sk: 'BLOCK#1', value: 1 });

/** Whether a batch of these keys shows that DynamoDB has too little capacity, where it returns the second group. */
function isOverloaded(stored: readonly string[], returned: readonly string[]): boolean {
  const unprocessed = returned.map(putOf);
  const answer = { unprocessed: new Set(unprocessed.map(({ id }) => id)), isTableWide: false };
  const batch = [...stored.map(putOf), ...unprocessed];
  return queueUnprocessed(new KeyQueues(), batch, answer, 0).isOverloaded;
}

const devices = (count: number) => Array.from({ length: count }, (_, id) => `DEVICE#d${id}`);
const shards = (count: number) =>
  Array.from({ length: count }, (_, shard) => `DEVICE#hot#${shard}`);

it('is overloaded where most keys of a batch are throttled', () => {
  expect(isOverloaded(devices(1), ['DEVICE#a', 'DEVICE#b'])).toBe(true);
  expect(isOverloaded(devices(2), ['DEVICE#a', 'DEVICE#b'])).toBe(false);
  expect(isOverloaded([], ['DEVICE#a'])).toBe(false);
});

it('is not overloaded where the shards of one device are throttled', () => {
  expect(isOverloaded([], shards(16))).toBe(false);
  expect(isOverloaded(devices(1), shards(16))).toBe(false);
  expect(isOverloaded([], [...shards(16), 'DEVICE#a'])).toBe(true);
});
