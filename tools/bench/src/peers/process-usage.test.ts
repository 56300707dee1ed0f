import { familyOf, parseStat, usageOf } from './process-usage.ts';

it('adds user, system and children times after a name with spaces and parentheses', () => {
  const text = '42 (a (b) c) S 7 42 42 0 -1 4194304 1 2 3 4 10 20 30 40 20 0 1 0 100 1 1';
  expect(parseStat(text)).toEqual({ parent: 7, cpu: 1_000_000 });
});

it('includes descendants, and no other processes', () => {
  const parents = new Map([
    [1, 0],
    [10, 1],
    [11, 10],
    [12, 11],
    [20, 1],
  ]);
  expect(familyOf(10, parents)).toEqual([10, 11, 12]);
});

it('measures this process', () => {
  const { cpu, peakMemory } = usageOf(process.pid);
  expect(cpu).toBeGreaterThan(0);
  expect(peakMemory).toBeGreaterThan(1_000_000);
});
