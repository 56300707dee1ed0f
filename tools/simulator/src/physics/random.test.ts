import { diceOf, randomAt, smoothAt, streamOf } from './random.ts';

const stream = streamOf('seed', 'a');

it('gives equal numbers for equal stream and index, and different ones otherwise', () => {
  expect(randomAt(streamOf('seed', 'a'), 7)).toBe(randomAt(stream, 7));
  expect(randomAt(streamOf('seed', 'b'), 7)).not.toBe(randomAt(stream, 7));
  expect(randomAt(streamOf('see', 'da'), 7)).not.toBe(randomAt(stream, 7));
  expect(randomAt(stream, 8)).not.toBe(randomAt(stream, 7));
});

it('distributes evenly over 0 to 1', () => {
  const tenths = new Array<number>(10).fill(0);
  for (let index = 0; index < 100_000; index += 1) {
    const tenth = Math.floor(randomAt(stream, index) * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  // 10,000 each are expected; 500 are more than five standard deviations.
  for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(500);
});

it('draws a curve without jumps through its numbers', () => {
  expect(smoothAt(stream, 5)).toBe(randomAt(stream, 5));
  for (let position = 0; position < 50; position += 0.01) {
    const change = smoothAt(stream, position + 0.01) - smoothAt(stream, position);
    expect(Math.abs(change)).toBeLessThan(0.02);
  }
});

it('repeats the same draws', () => {
  const throwThree = (index: number) => {
    const { between } = diceOf(stream, index);
    return [between(1, 6), between(1, 6), between(1, 6)];
  };
  expect(throwThree(1)).toEqual(throwThree(1));
  expect(throwThree(1)).not.toEqual(throwThree(2));
  expect(new Set(throwThree(1)).size).toBe(3);
});
