import { topicPartitionOf } from './topic-partition-of.ts';

const topics = Array.from({ length: 10_000 }, (_, index) => `engawa/device-${index}/readings`);

it('a key has the same topic partition in every version', () => {
  const keys = ['', 'engawa/a/readings', 'engawa/b/readings', 'zigbee2mqtt/居間'];
  expect(keys.map((key) => topicPartitionOf(key, 8))).toEqual([1, 1, 6, 3]);
});

it.each([2, 3, 8, 10])('%i topic partitions have about as many keys each', (partitions) => {
  const counts = Map.groupBy(topics, (topic) => topicPartitionOf(topic, partitions));
  expect(counts.size).toBe(partitions);
  const expected = topics.length / partitions;
  for (const { length } of counts.values()) {
    expect(Math.abs(length - expected)).toBeLessThan(0.15 * expected);
  }
});
