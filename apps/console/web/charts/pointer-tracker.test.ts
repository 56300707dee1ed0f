import { PointerTracker } from './pointer-tracker.ts';

const width = 100;

test('one finger pans once it is no tap', () => {
  const tracker = new PointerTracker();
  tracker.down(1, { x: 50, y: 0 });
  expect(tracker.move(1, { x: 53, y: 0 }, width)).toBeUndefined();
  expect(tracker.hasMoved).toBe(false);
  expect(tracker.move(1, { x: 70, y: 5 }, width)).toEqual({ anchor: 0.5, at: 0.7, factor: 1 });
  expect(tracker.move(1, { x: 51, y: 5 }, width)).toEqual({ anchor: 0.5, at: 0.51, factor: 1 });
  expect(tracker.hasMoved).toBe(true);
});

test('a vertical way moves nothing', () => {
  const tracker = new PointerTracker();
  tracker.down(1, { x: 50, y: 0 });
  expect(tracker.move(1, { x: 60, y: 40 }, width)).toBeUndefined();
});

test('two fingers zoom by their distance, also where they are above each other', () => {
  const tracker = new PointerTracker();
  tracker.down(1, { x: 40, y: 0 });
  tracker.down(2, { x: 60, y: 0 });
  expect(tracker.move(2, { x: 80, y: 0 }, width)).toEqual({ anchor: 0.5, at: 0.6, factor: 0.5 });
  tracker.clear();
  tracker.down(3, { x: 50, y: 0 });
  tracker.down(4, { x: 50, y: 40 });
  expect(tracker.move(4, { x: 50, y: 20 }, width)).toEqual({ anchor: 0.5, at: 0.5, factor: 2 });
});

test('after one of two fingers is lifted, the other goes on from where it is', () => {
  const tracker = new PointerTracker();
  tracker.down(1, { x: 20, y: 0 });
  tracker.down(2, { x: 60, y: 0 });
  tracker.move(2, { x: 80, y: 0 }, width);
  tracker.up(1);
  expect(tracker.move(2, { x: 70, y: 0 }, width)).toEqual({ anchor: 0.8, at: 0.7, factor: 1 });
  expect(tracker.move(1, { x: 0, y: 0 }, width)).toBeUndefined();
});
