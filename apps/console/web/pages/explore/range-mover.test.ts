import { RangeMover } from './range-mover.ts';
import type { TimeRange } from '../../charts/chart.ts';

const now = 10_000_000;
const start = { from: 1_000_000, to: 2_000_000 };
const earlier = (part: number) => ({ anchor: 0, at: part, factor: 1 });

/** Timers that elapse when a test says so. */
class ManualTimers {
  #time = 0;
  readonly #waiting = new Set<{ at: number; run: () => void }>();

  readonly after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.#time + ms, run };
    this.#waiting.add(timer);
    return () => void this.#waiting.delete(timer);
  };

  elapse(ms: number): void {
    this.#time += ms;
    for (const timer of [...this.#waiting].sort((one, other) => one.at - other.at)) {
      if (timer.at > this.#time || !this.#waiting.delete(timer)) continue;
      timer.run();
    }
  }
}

function startMover() {
  const timers = new ManualTimers();
  const writes: [TimeRange, boolean][] = [];
  const view = {
    value: undefined as TimeRange | undefined,
    peek: () => view.value,
  };
  const mover = new RangeMover({
    view,
    write: (range, isStep) => writes.push([range, isStep]),
    now: () => now,
    after: timers.after,
  });
  return { mover, timers, writes };
}

test('a movement is shown at once and written once it pauses', () => {
  const { mover, timers, writes } = startMover();
  for (const part of [0.1, 0.2, 0.3]) {
    mover.move(start, earlier(part));
    timers.elapse(100);
  }
  expect(mover.view.value).toEqual({ from: 700_000, to: 1_700_000 });
  expect(writes).toEqual([]);
  timers.elapse(50);
  expect(writes).toEqual([[{ from: 700_000, to: 1_700_000 }, true]]);
});

test('a gesture with several pauses is one step; the next gesture is another', () => {
  const { mover, timers, writes } = startMover();
  mover.move(start, earlier(0.1));
  timers.elapse(150);
  mover.move(start, earlier(0.2));
  mover.end();
  timers.elapse(1000);
  mover.move(mover.view.value ?? start, earlier(0.1));
  mover.end();
  expect(writes.map(([{ from }, isStep]) => [from, isStep])).toEqual([
    [900_000, true],
    [800_000, false],
    [700_000, true],
  ]);
});

test('the wheel ends a gesture when no step follows', () => {
  const { mover, timers, writes } = startMover();
  const turn = (): void => {
    mover.move(mover.view.value ?? start, earlier(0.1));
    mover.endSoon();
  };
  turn();
  timers.elapse(400);
  turn();
  timers.elapse(600);
  turn();
  timers.elapse(600);
  expect(writes.map(([, isStep]) => isStep)).toEqual([true, false, true]);
});

test('a cancelled movement returns to the range before it', () => {
  const { mover, timers, writes } = startMover();
  mover.move(start, earlier(0.4));
  mover.cancel();
  timers.elapse(1000);
  expect(mover.view.value).toEqual(start);
  expect(writes).toEqual([]);
});

test('the range of the address does not interrupt a gesture', () => {
  const { mover } = startMover();
  mover.show(start);
  expect(mover.view.value).toBe(start);
  mover.move(start, earlier(0.5));
  mover.show(start);
  expect(mover.view.value?.from).toBe(500_000);
  mover.end();
  mover.show(start);
  expect(mover.view.value).toBe(start);
});

test('only a range that reaches into the future may stay there', () => {
  const { mover } = startMover();
  mover.move({ from: now - 1000, to: now }, { anchor: 0.9, at: 0, factor: 1 });
  expect(mover.view.value).toMatchObject({ to: now });
  mover.end();
  mover.move({ from: now, to: now + 20_000 }, earlier(0));
  expect(mover.view.value).toEqual({ from: now, to: now + 20_000 });
});
