import { brokerFaults } from './broker-faults.ts';
import { connectionFaults } from './connection-faults.ts';
import { hotDeviceFaults } from './hot-device-faults.ts';
import { processFaults } from './process-faults.ts';
import { tableFaults } from './table-faults.ts';
import type { Random } from '../kernel/index.ts';
import type { PlanParts } from '../plan.ts';
import type { RandomFault, FaultContext } from './fault.ts';

export const faults: readonly RandomFault[] = [
  ...processFaults,
  ...connectionFaults,
  ...brokerFaults,
  ...tableFaults,
  ...hotDeviceFaults,
];

export interface InjectOptions {
  day: number;
  /** Decides which faults of the plan are injected. */
  parts: PlanParts;
  /** Mean milliseconds between two faults. */
  everyMs: number;
  isEnough: () => boolean;
}

/**
 * Injects the faults of one day until `isEnough` is true and all faults of the plan have been
 * injected. Each fault has its own random numbers, so that omitting one fault changes neither the
 * others nor the next day.
 */
export async function injectFaults(
  context: FaultContext,
  { day, parts, everyMs, isEnough }: InjectOptions,
): Promise<void> {
  const ofDay = context.random.fork();
  for (let ordinal = 1; ; ordinal++) {
    const random = ofDay.fork();
    await context.system.gateway.sleep(random.integer(1, 2 * everyMs));
    if (isEnough() && !parts.isPending(day)) return;
    if (parts.isLeftOut(day, ordinal)) continue;
    parts.note(day, ordinal);
    chooseFault(random).inject({ ...context, random });
    if (isEnough() && !parts.isPending(day)) return;
  }
}

function chooseFault(random: Random): RandomFault {
  let left = random.fraction() * faults.reduce((sum, { weight }) => sum + weight, 0);
  for (const fault of faults) {
    left -= fault.weight;
    if (left < 0) return fault;
  }
  return random.pick(faults);
}
