import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './load/load.ts';

/** What happens, and after how many seconds of the one before. */
const steps: readonly { after: number; what: string; act: (load: Load) => unknown }[] = [
  { after: 25, what: 'a device goes wild', act: (load) => load.heatDevice() },
  { after: 10, what: 'a great many devices are registered', act: (load) => load.heatList() },
  { after: 75, what: 'the table refuses for other reasons', act: (load) => load.beginTrouble() },
  { after: 6, what: 'it does no more', act: (load) => load.endTrouble() },
  { after: 9, what: 'a flood of QoS 0', act: (load) => load.beginFlood() },
  { after: 1, what: 'it ends', act: (load) => load.endFlood() },
  { after: 10, what: 'the broker forgets its sessions', act: (load) => load.restartBroker() },
  { after: 10, what: 'dead letters are looked after', act: (load) => load.tidyDeadLetters() },
  { after: 10, what: 'what was hot is so no more', act: (load) => load.cool() },
  { after: 40, what: 'all is well again', act: () => undefined },
];

/** A few minutes in which keys become hot and are relieved, and some other things go wrong. */
export async function playEpisode(load: Load, print: (line: string) => void): Promise<void> {
  const start = performance.now();
  for (const { after, what, act } of steps) {
    await sleep(after * 1000);
    print(`${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s: ${what}`);
    await act(load);
  }
}
