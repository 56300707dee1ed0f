import { itemsOf, publishedReadings } from '../workload.ts';
import { readingsOfItem } from './stored-item.ts';

it('finds the reading of a plain item', () => {
  const item = { device: { S: 'a' }, ts: { S: '2026-11-20T00:00:01.000Z' }, humidity: { N: '40' } };
  expect(readingsOfItem(item)).toEqual([{ device: 'a', time: Date.UTC(2026, 10, 20, 0, 0, 1) }]);
});

it('finds all readings of a block', () => {
  const start = Date.UTC(2026, 10, 20);
  const workload = { topic: 'engawa', prefix: 'a', devices: 1, readings: 3, start, step: 1000 };
  const published = publishedReadings(workload, 0).map(({ device, time }) => ({ device, time }));
  const found = readingsOfItem(itemsOf(workload, 0, 1)[0] ?? {});
  expect(found.toSorted((a, b) => a.time - b.time)).toEqual(published);
});

it('finds none in other items', () => {
  expect(readingsOfItem({ pk: { S: 'DEVICE#a' }, sk: { S: 'DEVICE#a' } })).toEqual([]);
});
