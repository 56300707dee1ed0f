import { invariant, InvariantError } from './invariant.ts';

const sentence = 'a block has at least one reading';

it.each([0, '', false, NaN])('returns %p, which is a value', (value) => {
  expect(invariant(value, sentence)).toBe(value);
});

it.each([undefined, null])('throws the sentence for %p, and counts it', (value) => {
  const before = InvariantError.thrown;
  const broken = () => invariant(value, sentence);
  expect(broken).toThrow(InvariantError);
  expect(broken).toThrow(sentence);
  expect(InvariantError.thrown - before).toBe(2);
});
