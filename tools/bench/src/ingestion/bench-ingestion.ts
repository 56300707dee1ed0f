import { cpuCases, measureCpu } from './measure-cpu.ts';
import { measureIsolation } from './measure-isolation.ts';
import { measureMemory } from './measure-memory.ts';
import { measureReplicas } from './measure-replicas.ts';
import { measureUnits } from './measure-units.ts';
import { IngestionRig } from './rig.ts';
import { withRig } from '../with-rig.ts';
import type { Finding, Findings, Print } from '../report.ts';
import type { IngestionOptions } from './options.ts';

export async function benchIngestion(options: IngestionOptions, print: Print): Promise<Findings> {
  const findings = await withRig(await IngestionRig.start(options), (rig) =>
    measure(rig, options, print),
  );
  return { how: describe(options), findings };
}

async function measure(
  rig: IngestionRig,
  options: IngestionOptions,
  print: Print,
): Promise<Finding[]> {
  const { only, minutes } = options;
  const findings: Finding[] = [];
  if (only.includes('cpu')) {
    for (const cpuCase of cpuCases) findings.push(await measureCpu(rig, cpuCase, options, print));
  }
  if (only.includes('replicas')) findings.push(...(await measureReplicas(rig, options, print)));
  if (only.includes('units')) findings.push(...(await measureUnits(rig, options, print)));
  if (only.includes('memory') && minutes > 0) {
    findings.push(...(await measureMemory(rig, options, print)));
  }
  if (only.includes('isolation')) findings.push(...(await measureIsolation(rig, options, print)));
  return findings;
}

function describe(options: IngestionOptions): string {
  const { messages, repetitions, minutes, lingerScale, broker, node } = options;
  const withNode = node.length === 0 ? '' : `, Node with ${node.join(' ')}`;
  return (
    `${broker} broker, embedded DynamoDB engine, ${messages} messages a portion, ` +
    `${repetitions} repetitions (median and between what), ${minutes} minutes of memory, ` +
    `linger played ${lingerScale} × as fast${withNode}`
  );
}
