import { cpuCases, measureCpu } from './measure-cpu.ts';
import { measureIsolation } from './measure-isolation.ts';
import { measureMemory } from './measure-memory.ts';
import { measureUnits } from './measure-units.ts';
import { renderTable } from './report.ts';
import { Rig } from './rig.ts';
import { describeMachine, describeRun, save } from './save.ts';
import type { Options } from './options.ts';
import type { Finding } from './report.ts';

type Print = (line: string) => void;

/** Measures what is asked for, prints it, and keeps it where that is asked for. */
export async function run(options: Options, print: Print): Promise<void> {
  const rig = await Rig.start(options);
  const interrupt = (): void => {
    void rig.close().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    const findings = await measure(rig, options, print);
    const lines = [describeMachine(), describeRun(options), renderTable(findings)];
    print(`\n${lines.join('\n')}`);
    if (options.save) print(`\nkept in ${save(lines)}`);
  } finally {
    await rig.close();
  }
}

async function measure(rig: Rig, options: Options, print: Print): Promise<Finding[]> {
  const { only, minutes } = options;
  const findings: Finding[] = [];
  if (only.includes('cpu')) {
    for (const cpuCase of cpuCases) findings.push(await measureCpu(rig, cpuCase, options, print));
  }
  if (only.includes('units')) findings.push(...(await measureUnits(rig, options, print)));
  if (only.includes('memory') && minutes > 0) {
    findings.push(...(await measureMemory(rig, options, print)));
  }
  if (only.includes('isolation')) findings.push(...(await measureIsolation(rig, options, print)));
  return findings;
}
