import { maxShards, shardCountAt } from '@engawa/keys';
import fc from 'fast-check';
import { parseNumber } from '../values/decimal.ts';
import { epochDocuments, parseEpochs } from './shard-epochs.ts';

const good = { since: 1000, count: 4, from: 2000 };

it('returns the written epochs', () => {
  const epochs = [{ since: 0, count: 2, from: 60_000 }, good];
  expect(parseEpochs(epochDocuments(epochs))).toEqual(epochs);
});

it.each([
  ['null', null],
  ['a text', 'x'],
  ['a map', { since: 0, count: 2, from: 0 }],
  ['an empty list', [null, undefined, 'x', 7, []]],
  ['no count', [{ since: 0, from: 0 }]],
  ['a count of null', [{ ...good, count: null }]],
  ['no number', [{ ...good, count: 'x' }]],
  ['NaN', [{ ...good, count: NaN }]],
  ['none', [{ ...good, count: 0 }]],
  ['a negative count', [{ ...good, count: -4 }]],
  ['a fractional count', [{ ...good, count: 2.5 }]],
  ['a count above every number', [{ ...good, count: Infinity }]],
  ['no time', [{ ...good, since: 'yesterday' }]],
  ['an infinite time', [{ ...good, from: Infinity }]],
])('ignores %s', (_, value) => {
  expect(parseEpochs(value)).toEqual([]);
});

it('keeps the valid epochs next to an invalid one', () => {
  expect(parseEpochs([null, good, { ...good, count: NaN }])).toEqual([good]);
});

it('never has more shards than the maximum', () => {
  for (const count of [65, 1e9, parseNumber('1e30')]) {
    expect(parseEpochs([{ ...good, count }])).toEqual([{ ...good, count: maxShards }]);
  }
});

it('accepts a count that is not a power of two, and equal times', () => {
  expect(parseEpochs([{ since: 5, count: 3 }])).toEqual([{ since: 5, count: 3, from: 5 }]);
});

it('returns a valid number of shards for any item', () => {
  fc.assert(
    fc.property(fc.anything(), fc.array(fc.anything()), (value, list) => {
      for (const epochs of [parseEpochs(value), parseEpochs(list)]) {
        const shards = shardCountAt(epochs, Infinity);
        expect(Number.isInteger(shards) && shards >= 1 && shards <= maxShards).toBe(true);
      }
    }),
  );
});
