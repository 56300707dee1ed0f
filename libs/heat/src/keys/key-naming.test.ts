import * as keys from '@engawa/keys';
import fc from 'fast-check';
import { keyNamer } from './key-naming.ts';

const secret = 'a secret of the installation';
const periods = ['2026-11-29', '2026-W48', '2026-11'];
const hashed = keyNamer({ naming: 'hashed', secret });
const hidden = keyNamer({ naming: 'hidden', secret });
const other = keyNamer({ naming: 'hashed', secret: 'another secret' });

/** The prefix occurs in no name by accident. */
const id = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map((text) => `~id ${text}`.normalize('NFC'))
  .filter((text) => {
    try {
      return keys.id('id', text) === text;
    } catch {
      return false;
    }
  });
const shard = fc.nat(63);

/** Keys, their readable parts, and the ids that must be hidden. */
const partitions = fc.oneof(
  fc.tuple(id, shard).map(([device, at]) => ({
    key: keys.devicePartition(device, at),
    family: 'DEVICE',
    ids: [device],
  })),
  id.map((place) => ({ key: keys.placePartition(place), family: 'PLACE', ids: [place] })),
  fc.tuple(id, fc.option(id, { nil: undefined })).map(([place, room]) => ({
    key: keys.membersPartition(place, room),
    family: 'ROOM',
    ids: [place, ...(room === undefined ? [] : [room])],
  })),
  id.map((name) => ({
    key: keys.entityPartition({ type: 'artist', id: name }),
    family: 'E#artist',
    ids: [name],
  })),
  fc.tuple(id, shard).map(([parent, at]) => ({
    key: keys.attributePartition(at, 'score', 'byPoints', { within: parent }),
    family: 'A#score#byPoints',
    ids: [parent],
  })),
  fc.tuple(id, shard, fc.constantFrom(...periods)).map(([parent, at, period]) => ({
    key: keys.attributePartition(at, 'score', 'byPoints', { within: parent, period }),
    family: 'A#score#byPoints',
    ids: [parent],
  })),
  // Keys that no builder makes.
  fc
    .tuple(
      id,
      fc.constantFrom('DEVICE#', 'DEVICE#a#1#', 'PLACE#a#', 'E#', 'LIST#', 'DLQ#', '$', ''),
    )
    .map(([name, before]) => ({ key: `${before}${name}$`, family: 'OTHER', ids: [name] })),
);

describe('keyNamer', () => {
  it('shows keys unchanged', () => {
    const shown = keyNamer({ naming: 'shown', secret });
    expect(shown('table', 'DEVICE#front$Pdoor')).toBe('DEVICE#front$Pdoor');
    expect(shown('table', '$')).toBe('$');
  });

  it.each([
    ['DEVICE#thermo-1', /^DEVICE#[0-9a-f]{12}$/, 'DEVICE'],
    ['DEVICE#thermo-1#7', /^DEVICE#[0-9a-f]{12}#7$/, 'DEVICE'],
    ['PLACE#home', /^PLACE#[0-9a-f]{12}$/, 'PLACE'],
    ['ROOM#home#kitchen', /^ROOM#[0-9a-f]{12}#[0-9a-f]{12}$/, 'ROOM'],
    ['BIRTHS#plant/press', /^BIRTHS#[0-9a-f]{12}$/, 'BIRTHS'],
    ['E#artist#beatles', /^E#artist#[0-9a-f]{12}$/, 'E#artist'],
    ['UNIQUE#user#email#Zm9v', /^UNIQUE#user#email#[0-9a-f]{12}$/, 'UNIQUE#user#email'],
    ['OURS#thermo-1', /^OTHER#[0-9a-f]{12}$/, 'OTHER'],
    ['LIST#DEVICE#thermo-1', /^OTHER#[0-9a-f]{12}$/, 'OTHER'],
    ['E#\ud800#thermo-1', /^OTHER#[0-9a-f]{12}$/, 'OTHER'],
  ])('names %j by its family and a hash, or by its family only', (key, pattern, family) => {
    expect(hashed('table', key)).toMatch(pattern);
    expect(hidden('table', key)).toBe(family);
  });

  it.each([
    ['LIST#DEVICE#0'],
    ['LIST#E#living$Proom#63'],
    ['SEEN#DEVICE#3'],
    ['A#artist#by$Pname#0'],
    ['A#artist#by$Pname##2026-W48#0'],
    ['CHANGED#TEXT#0'],
    ['LEFTOUT#living$Proom'],
    ['EXPIRES#E#0'],
    ['DLQ#2026-11-21#4'],
    ['TYPE'],
    ['SHARDS'],
    ['ERASURES'],
    ['TASKS#CATALOG'],
  ])('has no ids to hide in %s', (key) => {
    expect([hashed('gsi1', key), hidden('gsi1', key)]).toEqual([key, key]);
  });

  it('reveals no id', () => {
    fc.assert(
      fc.property(partitions, ({ key, family, ids }) => {
        const names = [hashed('table', key), hidden('table', key)];
        for (const each of ids) {
          expect(names.join(' ')).not.toContain(each);
          expect(names.join(' ')).not.toContain(keys.encodeSegment(each));
        }
        expect(names[0]?.startsWith(`${family}#`)).toBe(true);
        expect(names[1]).toBe(family);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives the same hash for an id in all its shards, and needs the secret to compute it', () => {
    const hash = (name: string) => name.split('#')[1];
    expect(hash(hashed('table', 'DEVICE#a#3'))).toBe(hash(hashed('gsi1', 'DEVICE#a')));
    expect(hash(hashed('table', 'DEVICE#a'))).not.toBe(hash(hashed('table', 'DEVICE#b')));
    expect(hash(hashed('table', 'DEVICE#a'))).not.toBe(hash(other('table', 'DEVICE#a')));
  });

  it('hides which rooms of different places have the same id', () => {
    const room = (place: string) => hashed('table', `ROOM#${place}#kitchen`).split('#')[2];
    expect(room('home')).not.toBe(room('office'));
  });
});
