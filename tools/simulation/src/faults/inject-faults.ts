import { brokerFaults } from './broker-faults.ts';
import { connectionFaults } from './connection-faults.ts';
import { hotDeviceFaults } from './hot-device-faults.ts';
import { processFaults } from './process-faults.ts';
import { tableFaults } from './table-faults.ts';
import type { Random } from '../kernel/index.ts';
import type { Fault, FaultContext } from './fault.ts';

export const faults: readonly Fault[] = [
  ...processFaults,
  ...connectionFaults,
  ...brokerFaults,
  ...tableFaults,
  ...hotDeviceFaults,
];

/** Lets faults happen, so many milliseconds apart on average, until it is enough. */
export async function injectFaults(
  context: FaultContext,
  { everyMs, isEnough }: { everyMs: number; isEnough: () => boolean },
): Promise<void> {
  const { random, system } = context;
  for (;;) {
    await system.gateway.sleep(random.integer(1, 2 * everyMs));
    if (isEnough()) return;
    chooseFault(random).inject(context);
  }
}

function chooseFault(random: Random): Fault {
  let left = random.fraction() * faults.reduce((sum, { weight }) => sum + weight, 0);
  for (const fault of faults) {
    left -= fault.weight;
    if (left < 0) return fault;
  }
  return random.pick(faults);
}
