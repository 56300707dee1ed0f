import { Shrinker } from '../../src/shrink/shrinker.ts';
import type { Plan } from '../../src/plan.ts';

const days = 10;
const idsOf = (each: number) =>
  Array.from(
    { length: days * each },
    (_, index) => `${1 + Math.floor(index / each)}.${1 + (index % each)}`,
  );

/** Simulates a world with two kinds of violations, each caused by different parts of the plan. */
function play(plan: Plan) {
  const has = (id: string, of?: readonly string[]) => of === undefined || of.includes(id);
  const isWithin = (id: string) => Number(id.split('.')[0]) <= plan.days;
  const all = { devices: idsOf(6), people: idsOf(3) };
  const steps: NonNullable<Plan['steps']> = plan.steps ?? all;
  const faults = (plan.faults ?? idsOf(2)).filter(isWithin);
  const checks = plan.checks ?? Object.keys(steps);
  const wrong = [
    ...(has('7.2', steps['people'] ?? []) && has('3.1', faults) && checks.includes('people')
      ? [`reading ${plan.days} is lost`]
      : []),
    ...(has('2.1', steps['devices'] ?? []) ? ['a dead letter is missing'] : []),
  ].filter(() => plan.days >= 7);
  return { violations: wrong, played: { days: plan.days, faults, checks, steps } };
}

function shrinkerWith(maxPlays: number) {
  const plays: Plan[] = [];
  const plan = { seed: 1, days };
  const options = { plan, outcome: play(plan), maxPlays };
  const shrinker = new Shrinker({
    ...options,
    play: (one) => {
      plays.push(one);
      return Promise.resolve(play(one));
    },
  });
  return { shrinker, plays };
}

describe('a run with a violation', () => {
  it('is shrunk to the parts that its first failure needs', async () => {
    const { shrinker, plays } = shrinkerWith(100);
    await shrinker.shrink();
    expect(shrinker.plan).toEqual({
      ...{ seed: 1, days: 7, faults: ['3.1'], steps: { people: ['7.2'] }, checks: ['people'] },
      replicas: { ingestion: 1, registry: 1, query: 1, catalog: 1 },
      broker: 'mosquitto',
    });
    expect(shrinker.outcome.violations).toEqual(['reading 7 is lost']);
    expect(shrinker.plays).toBe(plays.length);
    expect(new Set(plays.map((one) => JSON.stringify(one))).size).toBe(plays.length);
  });

  it('is repeated at most the allowed number of times, and keeps the smallest plan so far', async () => {
    const { shrinker, plays } = shrinkerWith(8);
    await shrinker.shrink();
    expect(plays).toHaveLength(8);
    expect(play(shrinker.plan).violations).toContain('reading 7 is lost');
    expect(shrinker.plan.days).toBe(7);
  });
});
