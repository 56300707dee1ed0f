import { attributePartition, decodeTuple } from '@engawa/keys';
import { boundedKey } from './bounded-key.ts';

it('leaves every key of Engawa unchanged, with any escapes', () => {
  const spaces = '#'.repeat(128);
  const part = { within: spaces, period: '2026-11-29' };
  const key = attributePartition(63, spaces, spaces, part);
  expect(key.length).toBe(786);
  expect(boundedKey(key)).toBe(key);
});

it('truncates longer keys to distinct, readable texts', () => {
  const cut = ['x', 'y'].flatMap((end) =>
    ['$P', '😀', 'a$', 'b'].map((part) => boundedKey(part.repeat(1000) + end)),
  );
  expect(new Set(cut).size).toBe(8);
  expect(cut.every((key) => key.length < 440 && key.isWellFormed())).toBe(true);
  // Also where the cut is within an escape.
  for (const before of ['a', 'ab']) {
    const [decoded] = decodeTuple(boundedKey(before + '$P'.repeat(1000)));
    expect(decoded.startsWith(`${before}   `)).toBe(true);
  }
});
