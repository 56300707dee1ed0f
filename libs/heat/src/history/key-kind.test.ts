import { kindOf } from '../keys/partition-kind.ts';
import { kindByPrefix, nameOfKind } from './key-kind.ts';

const examples: [index: string, partition: string][] = [
  ['table', 'DEVICE#a'],
  ['table', 'DEVICE#a#3'],
  ['table', 'E#Song#1'],
  ['table', 'UNIQUE#Song#title#x'],
  ['table', 'PLACE#home'],
  ['table', 'ROOM#home'],
  ['table', 'ROOM#home#kitchen'],
  ['table', 'DLQ#2026-11-20'],
  ['table', 'DLQ#2026-11-20#0'],
  ['table', 'PARKED#3'],
  ['table', 'TYPE'],
  ['table', 'SHARDS'],
  ['table', 'BIRTHS#a'],
  ['table', 'SESSION#a'],
  ['gsi1', 'LIST#DEVICE#0'],
  ['gsi1', 'LIST#E#Song#0'],
  ['gsi1', 'E#Song#1'],
  ['gsi1', 'DEVICE#a'],
  ['gsi2', 'SEEN#DEVICE#0'],
  ['gsi2', 'A#Song#byYear#0'],
  ['gsi2', 'A#Song#byYear#x#0'],
  ['gsi2', 'A#Song#byYear#x#2026-11#0'],
  ['gsi2', 'CHANGED#TEXT#1'],
  ['gsi2', 'EXPIRES#E#0'],
  ['table', 'of another application'],
  ['table', 'DEVICES'],
  ['gsi9', 'DEVICE#a'],
];

it.each(examples)('is that of the whole key: %s %s', (index, partition) => {
  expect(kindByPrefix(index, partition)).toBe(kindOf({ index, partition }));
});

it.each([
  ['DLQ#2026-11-20', 'deadLetters'],
  ['DLQ#2026-11-20#0', 'deadLetters'],
  ['PARKED#3', 'parkedBlocks'],
  ['PARKED#x', 'unknown'],
  ['DLQ#x', 'unknown'],
])('of the whole key %s is %s', (partition, kind) => {
  expect(kindOf({ index: 'table', partition })).toBe(kind);
});

it('has the first segment of its keys as its name', () => {
  expect(nameOfKind('gsi1', 'list')).toBe('LIST');
  expect(nameOfKind('table', 'unknown')).toBe('OTHER');
  expect(nameOfKind('gsi9', 'a kind of a later version')).toBe('OTHER');
});
