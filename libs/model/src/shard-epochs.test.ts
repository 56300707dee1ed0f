import { maxShards, shardsToRead } from '@engawa/keys';
import fc from 'fast-check';
import { parseNumber } from './decimal.ts';
import { epochDocuments, parseEpochs } from './shard-epochs.ts';

const good = { since: 1000, count: 4, from: 2000 };

it('gives back what was written', () => {
  const epochs = [{ since: 0, count: 2, from: 60_000 }, good];
  expect(parseEpochs(epochDocuments(epochs))).toEqual(epochs);
});

it.each([
  ['null', null],
  ['a text', 'x'],
  ['a map', { since: 0, count: 2, from: 0 }],
  ['a list of nothing', [null, undefined, 'x', 7, []]],
  ['a count of nothing', [{ since: 0, from: 0 }]],
  ['a count that is null', [{ ...good, count: null }]],
  ['no number', [{ ...good, count: 'x' }]],
  ['NaN', [{ ...good, count: NaN }]],
  ['none', [{ ...good, count: 0 }]],
  ['less than none', [{ ...good, count: -4 }]],
  ['a part of one', [{ ...good, count: 2.5 }]],
  ['more than any number', [{ ...good, count: Infinity }]],
  ['no time', [{ ...good, since: 'yesterday' }]],
  ['a time that never ends', [{ ...good, from: Infinity }]],
])('takes %s for no epoch', (_, value) => {
  expect(parseEpochs(value)).toEqual([]);
});

it('keeps those beside one that says nothing', () => {
  expect(parseEpochs([null, good, { ...good, count: NaN }])).toEqual([good]);
});

it('never has more shards than there can be', () => {
  for (const count of [65, 1e9, parseNumber('1e30')]) {
    expect(parseEpochs([{ ...good, count }])).toEqual([{ ...good, count: maxShards }]);
  }
});

it('makes do with a count that nobody here would write, and with one time', () => {
  expect(parseEpochs([{ since: 5, count: 3 }])).toEqual([{ since: 5, count: 3, from: 5 }]);
});

it('makes a number of shards that can be asked of whatever an item has', () => {
  fc.assert(
    fc.property(fc.anything(), fc.array(fc.anything()), (value, list) => {
      for (const epochs of [parseEpochs(value), parseEpochs(list)]) {
        const shards = shardsToRead(epochs, Infinity);
        expect(Number.isInteger(shards) && shards >= 1 && shards <= maxShards).toBe(true);
      }
    }),
  );
});
