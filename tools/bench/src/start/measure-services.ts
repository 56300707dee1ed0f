import { serviceFindings } from './service-findings.ts';
import { cpuMs, restingMemory } from './process-usage.ts';
import { services } from './rig.ts';
import type { RunningProcess } from '@engawa/embedded';
import type { Finding, Print } from '../report.ts';
import type { StartOptions } from './options.ts';
import type { Form, StartRig } from './rig.ts';
import type { StartCost } from './service-findings.ts';

const forms = ['image', 'sources'] as const satisfies Form[];

/** Starts Node alone and each service in turn, `repetitions` times. */
export async function measureServices(
  rig: StartRig,
  { only, repetitions }: StartOptions,
  print: Print,
): Promise<Finding[]> {
  const chosen = forms.filter((form) => only.includes(form));
  const subjects = chosen.flatMap((form) => services.map((service) => ({ service, form })));
  const costs = subjects.map((subject) => ({ ...subject, starts: [] as StartCost[] }));
  const baseline: StartCost[] = [];
  if (subjects.length === 0) return [];
  for (let turn = 1; turn <= repetitions; turn++) {
    baseline.push(await rig.withNode(costOf));
    for (const { service, form, starts } of costs) {
      const cost = await rig.withService(service, form, costOf);
      print(`${service} (${form}), ${turn} of ${repetitions}: ${describe(cost)}`);
      starts.push(cost);
    }
  }
  return serviceFindings(baseline, costs);
}

async function costOf({ pid }: RunningProcess): Promise<StartCost> {
  const cpu = cpuMs(pid);
  return { cpu, memory: await restingMemory(pid) };
}

function describe({ cpu, memory }: StartCost): string {
  const megabytes = Math.round(memory.resident / 1e6);
  return `ready after ${cpu.toFixed(0)} ms of CPU, ${megabytes} MB at rest`;
}
