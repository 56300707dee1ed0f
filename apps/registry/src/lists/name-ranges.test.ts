import { compareBytes, placeListKey } from '@engawa/keys';
import { foldName, hasPrefix, unaccentedRanges } from './name-ranges.ts';

const characters = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code)).filter(
  (character) => character.isWellFormed() && /[\p{L}\p{N}]/v.test(character),
);

it('the ranges of a prefix contain the first letter of every name that has it without accents', () => {
  const missed = characters.filter((character) => {
    const [first = ''] = foldName(character);
    const { gsi1sk: key } = placeListKey(0, character, 'id');
    return !unaccentedRanges(first).some(
      ({ from, to }) => compareBytes(from, key) <= 0 && compareBytes(key, to) <= 0,
    );
  });
  expect(missed).toEqual([]);
});

it.each(['c', 'é', 'ø', 'ə', '居', '9', 'ж', '#'])('the ranges of %s do not overlap', (prefix) => {
  const bounds = unaccentedRanges(prefix).flatMap(({ from, to }) => [from, to]);
  expect(bounds.toSorted(compareBytes)).toEqual(bounds);
});

it.each([
  ['cafe', 'Café Nord', true, true],
  ['CAFÉ', 'cafe', true, true],
  ['cafe', 'Café', false, false],
  ['か', 'が', true, false],
  ['caf', 'Cave', true, false],
])('the prefix %s of %s, accents ignored: %s', (prefix, name, ignoreAccents, expected) => {
  const sortKey = `${name.normalize('NFKC').toLowerCase()}#id`;
  expect(hasPrefix(prefix, ignoreAccents)(sortKey)).toBe(expected);
});
