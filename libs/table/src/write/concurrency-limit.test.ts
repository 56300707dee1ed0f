import { ConcurrencyLimit } from './concurrency-limit.ts';
import type { BatchOutcome } from './concurrency-limit.ts';

/** Fills the limit and finishes all batches with the same outcome, for this many rounds. */
function rounds(limit: ConcurrencyLimit, count: number, outcome: BatchOutcome): void {
  for (let round = 0; round < count; round++) {
    const epochs: number[] = [];
    while (limit.hasRoom('open')) epochs.push(limit.start('open'));
    for (const epoch of epochs) limit.finish('open', epoch, outcome);
  }
}

it('begins with four', () => {
  const limit = new ConcurrencyLimit();
  for (let batch = 0; batch < 4; batch++) {
    expect(limit.hasRoom('open')).toBe(true);
    limit.start('open');
  }
  expect(limit.hasRoom('open')).toBe(false);
});

it('grows by about one per round while batches wait, up to 64', () => {
  const limit = new ConcurrencyLimit();
  rounds(limit, 10, 'pressed');
  expect(limit.limit).toBeGreaterThanOrEqual(12);
  expect(limit.limit).toBeLessThanOrEqual(14);
  rounds(limit, 100, 'pressed');
  expect(limit.limit).toBe(64);
});

it('halves once for all batches that were in flight together, down to one', () => {
  const limit = new ConcurrencyLimit();
  rounds(limit, 100, 'pressed');
  rounds(limit, 1, 'overloaded');
  expect(limit.limit).toBe(32);
  rounds(limit, 10, 'overloaded');
  expect(limit.limit).toBe(1);
  expect(limit.hasRoom('open')).toBe(true);
});

it('returns gradually to four while batches are half empty, and no further', () => {
  const limit = new ConcurrencyLimit();
  rounds(limit, 20, 'pressed');
  rounds(limit, 100, 'idle');
  expect(limit.limit).toBe(4);
});

it('returns to four after an overload while batches are half empty', () => {
  const limit = new ConcurrencyLimit();
  rounds(limit, 10, 'overloaded');
  rounds(limit, 10, 'idle');
  expect(limit.limit).toBe(4);
});

it('counts batches of throttled keys apart', () => {
  const limit = new ConcurrencyLimit();
  for (let batch = 0; batch < 4; batch++) limit.start('throttled');
  expect(limit.hasRoom('throttled')).toBe(false);
  expect(limit.hasRoom('open')).toBe(true);
  expect(limit.inFlight('open')).toBe(0);
});

it('is unchanged after a batch with a neutral outcome', () => {
  const limit = new ConcurrencyLimit();
  rounds(limit, 10, 'neutral');
  expect(limit.limit).toBe(4);
});
