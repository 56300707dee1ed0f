import fc from 'fast-check';
import { Sketch, sketchError } from './sketch.ts';

const values = fc.array(
  fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }),
    fc.integer({ min: -50, max: 50 }),
    fc.double({ noNaN: true, min: 15, max: 25 }),
  ),
  { minLength: 1, maxLength: 200 },
);
const percents = [0, 1, 50, 90, 95, 99, 100];

function sketchOf(list: readonly number[]): Sketch {
  return list.reduce((sketch, value) => sketch.add(value), new Sketch());
}

it('returns each percentile within the documented error', () => {
  fc.assert(
    fc.property(values, (list) => {
      const sketch = sketchOf(list);
      const inOrder = list.toSorted((left, right) => left - right);
      for (const percent of percents) {
        const exact = inOrder[Math.max(1, Math.ceil((percent * list.length) / 100)) - 1] ?? NaN;
        const off = Math.abs((sketch.percentile(percent) ?? NaN) - exact);
        expect(off).toBeLessThanOrEqual(Math.abs(exact) * (sketchError + 1e-9));
      }
    }),
  );
});

it('is the same when merged from parts, in any order, and when read from a rollup', () => {
  fc.assert(
    fc.property(values, fc.nat(), (list, cut) => {
      const at = cut % (list.length + 1);
      const [left, right] = [sketchOf(list.slice(0, at)), sketchOf(list.slice(at))];
      const stored = Sketch.decode(
        JSON.parse(JSON.stringify(right.encode())) as ReturnType<Sketch['encode']>,
      );
      expect(stored.merge(left).encode()).toEqual(sketchOf(list).encode());
    }),
  );
});

it('has no percentiles without values', () => {
  expect(new Sketch().percentile(50)).toBeUndefined();
});
