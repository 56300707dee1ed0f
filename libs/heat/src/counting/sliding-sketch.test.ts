import fc from 'fast-check';
import { SlidingSketch } from './sliding-sketch.ts';
import { paneCount } from './time-window.ts';

const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

type SketchStep = { key: string; weight: number } | { panes: number };

/** Eighths, so that their sums are exact in any order. */
const weights = fc.integer({ min: 1, max: 800 }).map((eighths) => eighths / 8);

/** Many records of few keys, an occasional new pane, sometimes several at once. */
const steps: fc.Arbitrary<SketchStep[]> = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({ key: fc.constantFrom(...keys), weight: weights }),
    },
    { weight: 2, arbitrary: fc.record({ panes: fc.constant(1) }) },
    { weight: 1, arbitrary: fc.record({ panes: fc.integer({ min: 1, max: paneCount + 1 }) }) },
  ),
  { maxLength: 120, size: 'max' },
);

/** An exact reference: a map per pane. */
class ExactCounts {
  #panes = [new Map<string, number>()];

  add(key: string, weight: number): void {
    const pane = this.#panes[0] ?? new Map<string, number>();
    pane.set(key, (pane.get(key) ?? 0) + weight);
  }

  turn(panes: number): void {
    const fresh = Array.from({ length: panes }, () => new Map<string, number>());
    this.#panes = [...fresh, ...this.#panes].slice(0, paneCount);
  }

  of(key: string): number {
    return this.#panes.reduce((sum, pane) => sum + (pane.get(key) ?? 0), 0);
  }
}

describe('SlidingSketch', () => {
  it('never underestimates, and never counts more than the records', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 6 }), (taken, capacity) => {
        const sketch = new SlidingSketch({ capacity });
        const exact = new ExactCounts();
        for (const step of taken) {
          if ('panes' in step) sketch.turn(step.panes);
          else sketch.add(step.key, step.weight);
          if ('panes' in step) exact.turn(step.panes);
          else exact.add(step.key, step.weight);
          const wrong = keys.filter((key) => {
            const truth = exact.of(key);
            const { estimate, error } = sketch.read(key) ?? unseen(sketch.missed);
            return estimate < truth || estimate - error > truth;
          });
          expect(wrong).toEqual([]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is exact while there are no more keys than slots', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const sketch = new SlidingSketch({ capacity: 10, carries: true });
        const exact = new ExactCounts();
        for (const step of taken) {
          if ('panes' in step) {
            sketch.turn(step.panes);
            exact.turn(step.panes);
          } else {
            sketch.add(step.key, step.weight, 2 * step.weight);
            exact.add(step.key, step.weight);
          }
        }
        for (const key of keys) {
          const { estimate, error, carried } = sketch.read(key) ?? none;
          const truth = exact.of(key);
          expect({ estimate, error, carried }).toEqual({
            estimate: truth,
            error: 0,
            carried: 2 * truth,
          });
        }
      }),
    );
  });

  it('returns the largest in order, and always replaces the smallest', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 12 }), (taken, capacity) => {
        const sketch = new SlidingSketch({ capacity });
        for (const step of taken) {
          if ('panes' in step) sketch.turn(step.panes);
          else {
            const before = sketch.largest(capacity);
            const estimates = before.map((key) => sketch.read(key)?.estimate ?? 0);
            expect(estimates).toEqual(estimates.toSorted((left, right) => right - left));
            expect(sketch.largest(2)).toEqual(before.slice(0, 2));
            const least = estimates.at(-1) ?? 0;
            sketch.add(step.key, step.weight);
            const gone = before.filter((key) => sketch.read(key) === undefined);
            for (const key of gone) expect(estimates[before.indexOf(key)]).toBe(least);
            expect(gone.length).toBeLessThanOrEqual(before.length === capacity ? 1 : 0);
          }
        }
      }),
    );
  });

  it('hands over every weight once: of the key, or of a replaced key', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 12 }), (taken, capacity) => {
        const handed = new Map<string, number>();
        const hand = (key: string, weight: number) =>
          handed.set(key, (handed.get(key) ?? 0) + weight);
        const sketch = new SlidingSketch({ capacity, onReplace: hand });
        const exact = new Map<string, number>();
        taken.forEach((step, place) => {
          if ('panes' in step) sketch.turn(step.panes);
          else {
            sketch.add(step.key, step.weight);
            exact.set(step.key, (exact.get(step.key) ?? 0) + step.weight);
          }
          if (place % 5 === 0) sketch.takeFresh(hand);
        });
        sketch.takeFresh(hand);
        expect(handed).toEqual(exact);
        sketch.takeFresh(() => expect('a weight').toBe('handed over twice'));
      }),
      { numRuns: 500 },
    );
  });

  it('is exact again after a window in which no key was replaced', () => {
    for (const turns of [[1, 1, 1, 1, 1, 1], [paneCount]]) {
      const sketch = new SlidingSketch({ capacity: 2 });
      for (const key of keys) sketch.add(key, 3);
      expect(sketch.missed).toBeGreaterThan(0);
      for (const panes of turns) sketch.turn(panes);
      sketch.add('x', 1);
      sketch.add('y', 2);
      expect(sketch.missed).toBe(0);
      sketch.add('z', 4);
      expect(sketch.read('z')).toEqual({ estimate: 5, error: 1, carried: 0 });
    }
  });

  it('distinguishes very long keys, in bounded memory', () => {
    const sketch = new SlidingSketch({ capacity: 4 });
    const long = 'LIST#$'.repeat(400);
    sketch.add(`${long}1`, 1);
    sketch.add(`${long}2`, 2);
    const [second = '', first = ''] = sketch.largest(4);
    expect(first).not.toBe(second);
    expect([first.length, second.length].every((length) => length < 520)).toBe(true);
    expect(sketch.read(`${long}1`)).toEqual({ estimate: 1, error: 0, carried: 0 });
    expect(sketch.read(second)).toEqual({ estimate: 2, error: 0, carried: 0 });
  });
});

const none = { estimate: 0, error: 0, carried: 0 };

const unseen = (most: number) => ({ estimate: most, error: most });
