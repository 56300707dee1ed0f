import { randomFrom } from './random.ts';
import { zipf } from './zipf.ts';

it('draws each rank with its frequency, and repeats for the same seed', () => {
  const draws = 200_000;
  const counts = new Map<number, number>();
  const draw = zipf(1000, randomFrom(7));
  for (let number = 0; number < draws; number++) {
    const rank = draw();
    counts.set(rank, (counts.get(rank) ?? 0) + 1);
  }
  const harmonic = Array.from({ length: 1000 }, (_, rank) => 1 / (rank + 1)).reduce(
    (a, b) => a + b,
  );
  for (const rank of [0, 1, 2, 9, 99]) {
    const expected = draws / harmonic / (rank + 1);
    // Five standard deviations of a Poisson count; with this seed it is the same each time.
    expect(Math.abs((counts.get(rank) ?? 0) - expected)).toBeLessThan(5 * Math.sqrt(expected));
  }
  expect(Math.max(...counts.keys())).toBeLessThan(1000);
  const [one, same] = [zipf(1000, randomFrom(3)), zipf(1000, randomFrom(3))];
  expect(Array.from({ length: 100 }, one)).toEqual(Array.from({ length: 100 }, same));
});
