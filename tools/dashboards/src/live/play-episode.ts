import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './load/load.ts';

/** Events, and the seconds between each and the one before. */
const steps: readonly { after: number; what: string; act: (load: Load) => unknown }[] = [
  { after: 25, what: 'one device sends too much', act: (load) => load.heatDevice() },
  { after: 10, what: 'many devices are registered', act: (load) => load.heatList() },
  {
    after: 75,
    what: 'the table throttles for other reasons, and fails for one key',
    act: (load) => load.beginTrouble(),
  },
  { after: 6, what: 'the faults of the table end', act: (load) => load.endTrouble() },
  { after: 9, what: 'a flood of QoS 0', act: (load) => load.beginFlood() },
  { after: 1, what: 'the flood ends', act: (load) => load.endFlood() },
  {
    after: 10,
    what: 'the broker restarts and loses its sessions',
    act: (load) => load.restartBroker(),
  },
  {
    after: 10,
    what: 'an operator replays and discards dead letters',
    act: (load) => load.tidyDeadLetters(),
  },
  { after: 10, what: 'the load of the hot keys ends', act: (load) => load.cool() },
  { after: 40, what: 'the stack is back to normal', act: () => undefined },
];

/** A few minutes in which keys become hot and are mitigated, and other faults occur. */
export async function playEpisode(load: Load, print: (line: string) => void): Promise<void> {
  const start = performance.now();
  for (const { after, what, act } of steps) {
    await sleep(after * 1000);
    print(`${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s: ${what}`);
    await act(load);
  }
}
