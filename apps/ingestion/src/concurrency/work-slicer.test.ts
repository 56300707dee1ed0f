import { setImmediate as turn } from 'node:timers/promises';
import { WorkSlicer } from './work-slicer.ts';
import type { SlicedWork } from '@engawa/model';

function* countTo(end: number, onStep: () => void = () => undefined): SlicedWork<number> {
  for (let count = 0; count < end; count++) {
    onStep();
    yield 1;
  }
  return end;
}

describe('sliced work', () => {
  it('runs at once if it fits one turn', () => {
    expect(new WorkSlicer(10).run(countTo(9))).toBe(9);
  });

  it('yields to the event loop after each slice', async () => {
    const slicer = new WorkSlicer(10);
    let steps = 0;
    const count = () => (steps += 1);
    const results = [100, 200].map((end) => slicer.run(countTo(end, count)));
    const perTurn: number[] = [];
    for (let turns = 0; turns < 40; turns++) {
      const before = steps;
      await turn();
      perTurn.push(steps - before);
    }
    expect([await results[0], await results[1]]).toEqual([100, 200]);
    expect(steps).toBe(300);
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(10);
  });

  it('rejects with the error of failed work, and continues with later work', async () => {
    const slicer = new WorkSlicer(10);
    let steps = 0;
    const failing = slicer.run(
      countTo(50, () => {
        steps += 1;
        if (steps === 25) throw new Error('broken');
      }),
    );
    const next = slicer.run(countTo(50));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe(50);
  });
});
