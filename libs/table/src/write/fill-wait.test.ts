import { FillWait } from './fill-wait.ts';

const partial = { isEmpty: false, hasFullBatch: false };
const full = { isEmpty: false, hasFullBatch: true };
const empty = { isEmpty: true, hasFullBatch: false };

it('is over at once for a full batch, and while few batches are in flight', () => {
  const wait = new FillWait();
  expect(wait.isOver(full, 60, 0)).toBe(true);
  expect(wait.isOver(partial, 1, 0)).toBe(true);
  expect(wait.until).toBe(Infinity);
});

it('ends after ten milliseconds, however long the batches in flight take', () => {
  const wait = new FillWait();
  expect(wait.isOver(partial, 2, 100)).toBe(false);
  expect(wait.until).toBe(110);
  expect(wait.isOver(partial, 2, 109)).toBe(false);
  expect(wait.isOver(partial, 2, 110)).toBe(true);
});

it('begins again for items that come later', () => {
  const wait = new FillWait();
  wait.isOver(partial, 2, 100);
  expect(wait.isOver(empty, 2, 105)).toBe(true);
  expect(wait.until).toBe(Infinity);
  expect(wait.isOver(partial, 2, 200)).toBe(false);
  expect(wait.until).toBe(210);
});
