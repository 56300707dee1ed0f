import { median, spread } from '../statistics.ts';
import type { Finding } from '../report.ts';
import type { Memory } from './process-usage.ts';
import type { Form, ServiceName } from './rig.ts';

export interface StartCost {
  /** Milliseconds of CPU from the start of the process to ready. */
  cpu: number;
  /** At rest, after ready. */
  memory: Memory;
}

export interface ServiceCosts {
  service: ServiceName;
  form: Form;
  starts: readonly StartCost[];
}

const targets = { cpuMs: 700, residentMegabytes: 110 };

const cpu = ({ cpu: milliseconds }: StartCost): number => milliseconds;
const resident = ({ memory }: StartCost): number => memory.resident / 1e6;
const anonymous = ({ memory }: StartCost): number => memory.anonymous / 1e6;

/** The targets apply to the image; starts from sources are for comparison. */
export function serviceFindings(
  baseline: readonly StartCost[],
  costs: readonly ServiceCosts[],
): Finding[] {
  const line = (of: (cost: StartCost) => number, what: string, target?: [string, number]) =>
    costs.map(({ service, form, starts }) => ({
      what: `${service} (${form}): ${what}`,
      ...compare(baseline, starts, of),
      ...(form === 'image' && target !== undefined
        ? { target: target[0], reached: median(starts.map(of)) <= target[1] }
        : { target: '' }),
    }));
  return [
    ...line(cpu, 'CPU from start to ready, ms', [`≤ ${targets.cpuMs}`, targets.cpuMs]),
    ...line(resident, 'RSS at rest, MB', [
      `≤ ${targets.residentMegabytes}`,
      targets.residentMegabytes,
    ]),
    ...line(anonymous, 'of it without mapped files, MB'),
  ];
}

function compare(
  baseline: readonly StartCost[],
  starts: readonly StartCost[],
  of: (cost: StartCost) => number,
) {
  const ratios = starts.map((start, turn) => {
    const beside = baseline[turn];
    return beside === undefined ? NaN : of(start) / of(beside);
  });
  return {
    measured: spread(starts.map(of), 0),
    baseline: spread(baseline.map(of), 0),
    ratio: spread(ratios, 1),
  };
}
