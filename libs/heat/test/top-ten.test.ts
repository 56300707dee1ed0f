import { randomFrom, zipf } from '@engawa/testing';
import { Heat } from '../src/index.ts';

const writes = { index: 'table', unit: 'write' } as const;
const allKeys = 1_000_000;

/** Milliseconds of a pane: the window contains the current one and the five before it. */
const pane = 2000;

/** The exact values of the heaviest keys; keys far from the top do not matter. */
class ExactWindow {
  readonly #panes: Map<number, number>[] = [];

  turn(): void {
    this.#panes.unshift(new Map());
    this.#panes.length = Math.min(6, this.#panes.length);
  }

  add(rank: number, units: number): void {
    const pane = this.#panes[0];
    if (rank < 1000) pane?.set(rank, (pane.get(rank) ?? 0) + units);
  }

  of(rank: number): number {
    return this.#panes.reduce((sum, pane) => sum + (pane.get(rank) ?? 0), 0);
  }

  tenth(): number {
    const ranks = new Set(this.#panes.flatMap((pane) => [...pane.keys()]));
    const totals = [...ranks].map((rank) => this.of(rank)).sort((left, right) => right - left);
    return totals[9] ?? 0;
  }
}

/** Whether ten keys are returned, each with at least the exact value of the tenth, so that ties pass. */
function agrees(heat: Heat, exact: ExactWindow, now: number): boolean {
  const top = heat.top(writes, 10, now);
  const tenth = exact.tenth();
  return top.length === 10 && top.every(({ partition }) => exact.of(Number(partition)) >= tenth);
}

it.each([
  { perPane: 500, panes: 300 },
  { perPane: 2000, panes: 150 },
  { perPane: 20_000, panes: 15 },
])(
  'finds the top ten of a million keys in 99 of 100 cases: $perPane records in a pane',
  ({ perPane, panes }) => {
    const draw = zipf(allKeys, randomFrom(6));
    const units = randomFrom(7);
    const heat = new Heat({ limits: { read: 3000, write: 1e9 } });
    const exact = new ExactWindow();
    let agreed = 0;
    for (let turned = 0; turned < panes; turned++) {
      exact.turn();
      for (let each = 0; each < perPane; each++) {
        const rank = draw();
        const size = units() < 0.9 ? 1 : 1 + Math.floor(units() * 4);
        heat.used({ ...writes, partition: `${rank}` }, size, (turned + each / perPane) * pane);
        exact.add(rank, size);
      }
      if (agrees(heat, exact, (turned + 1) * pane - 1)) agreed++;
    }
    expect(agreed / panes).toBeGreaterThanOrEqual(0.99);
  },
);

it('takes less than 2 MB for the six index units, each with more keys than it counts, and throttles', () => {
  const random = randomFrom(8);
  const heat = new Heat({ limits: { read: 3000, write: 1000 } });
  for (const index of ['table', 'gsi1', 'gsi2']) {
    for (const unit of ['read', 'write'] as const) {
      for (let each = 0; each < 5000; each++) {
        const partition = `DEVICE#thermometer-${Math.floor(random() * allKeys)}`;
        heat.used({ index, unit, partition }, 1, each);
        const cause = { scope: 'key_range', reason: 'unknown' } as const;
        heat.throttled({ index, unit, partition }, cause, 1, each);
      }
    }
  }
  expect(heat.memoryBytes).toBeGreaterThan(500_000);
  expect(heat.memoryBytes).toBeLessThan(2_000_000);
});
