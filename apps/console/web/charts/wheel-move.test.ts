import { wheelMove } from './wheel-move.ts';

const still = {
  deltaX: 0,
  deltaY: 0,
  deltaMode: 0,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
};

test('a vertical wheel scrolls the page', () => {
  expect(wheelMove({ ...still, deltaY: 100 }, 0.5, 1000)).toBeUndefined();
  expect(wheelMove({ ...still, deltaX: 10, deltaY: 40 }, 0.5, 1000)).toBeUndefined();
  expect(wheelMove(still, 0.5, 1000)).toBeUndefined();
});

test('Ctrl and the wheel zoom around the cursor, in and out by the same factor', () => {
  const zoomIn = wheelMove({ ...still, deltaY: -120, ctrlKey: true }, 0.3, 1000);
  const zoomOut = wheelMove({ ...still, deltaY: 120, ctrlKey: true }, 0.3, 1000);
  expect(zoomIn).toMatchObject({ anchor: 0.3, at: 0.3 });
  expect(zoomIn?.factor).toBeCloseTo(0.741, 3);
  expect((zoomIn?.factor ?? 0) * (zoomOut?.factor ?? 0)).toBeCloseTo(1);
});

test('a pinch on a touchpad zooms by its own factor', () => {
  const pinched = wheelMove({ ...still, deltaY: -10, ctrlKey: true }, 0.3, 1000);
  expect(pinched?.factor).toBeCloseTo(Math.exp(-0.1));
});

test('a horizontal wheel, and Shift with any wheel, pan by its pixels', () => {
  const expected = { anchor: 0.1, at: 0, factor: 1 };
  expect(wheelMove({ ...still, deltaX: 100 }, 0.5, 1000)).toEqual(expected);
  expect(wheelMove({ ...still, deltaY: 100, shiftKey: true }, 0.5, 1000)).toEqual(expected);
  expect(wheelMove({ ...still, deltaX: 100, shiftKey: true }, 0.5, 1000)).toEqual(expected);
  expect(wheelMove({ ...still, deltaX: 5, deltaMode: 1 }, 0.5, 1000)).toEqual(expected);
});
