import { Random } from '../src/kernel/random.ts';
import { PlanParts } from '../src/plan.ts';
import { ActorSteps } from '../src/workload/steps.ts';

/** Random numbers that an actor with two steps a day draws in three days, by executed step. */
function draw(kept?: readonly string[]) {
  const steps = new ActorSteps(new Random(7), kept);
  const drawn: Record<string, number> = {};
  for (const day of [1, 2, 3]) {
    steps.beginDay(day);
    for (const [index, { random, begin }] of steps.next(2).entries()) {
      if (begin()) drawn[`${day}.${index + 1}`] = random.fraction();
    }
  }
  return { drawn, done: steps.parts.done };
}

describe('steps of a plan', () => {
  it('draw the same numbers when other steps are left out', () => {
    const all = draw().drawn;
    const { drawn, done } = draw(['1.2', '3.1']);
    expect(Object.keys(all)).toEqual(['1.1', '1.2', '2.1', '2.2', '3.1', '3.2']);
    expect(drawn).toEqual({ '1.2': all['1.2'], '3.1': all['3.1'] });
    expect(done).toEqual(['1.2', '3.1']);
  });

  it('are numbered within a day over all actors', () => {
    const steps = new ActorSteps(new Random(7), ['2.4']);
    steps.beginDay(2);
    const [one, other] = [steps.next(3), steps.next(3)];
    const begun = [...one, ...other].map(({ begin }) => begin());
    expect(begun).toEqual([false, false, false, true, false, false]);
  });
});

describe('faults of a plan', () => {
  it('are pending on a day until the last one of the plan', () => {
    const parts = new PlanParts(['1.2', '1.11', '3.1']);
    const isPendingAfter = (ordinal: number) => {
      parts.note(1, ordinal);
      return parts.isPending(1);
    };
    expect([parts.isPending(1), isPendingAfter(2), isPendingAfter(11)]).toEqual([
      ...[true, true, false],
    ]);
    expect(parts.isPending(2)).toBe(false);
    expect(new PlanParts().isPending(1)).toBe(false);
  });
});
