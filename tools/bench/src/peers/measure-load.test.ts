import { costsOf } from './measure-load.ts';

it('subtracts the start, and the warm-up with the time after it', () => {
  const at = (cpu: number, peakMemory: number) => ({ cpu, peakMemory });
  const costs = costsOf(
    { started: at(500, 10), warm: at(1500, 20), before: at(1600, 20), after: at(5600, 30) },
    10,
    100,
  );
  expect(costs).toEqual({ cpu: 40, coldCpu: 100, startCpu: 500, idleMemory: 10, peakMemory: 30 });
});
