import { measureLatest } from './measure-latest.ts';
import { measureMonth } from './measure-month.ts';
import { measureSizes } from './measure-sizes.ts';
import { QueryRig } from './rig.ts';
import { withRig } from '../with-rig.ts';
import type { Finding, Findings, Print } from '../report.ts';
import type { QueryOptions } from './options.ts';

export async function benchQuery(options: QueryOptions, print: Print): Promise<Findings> {
  const findings = await withRig(await QueryRig.start(options), (rig) =>
    measure(rig, options, print),
  );
  return { how: describe(options), findings };
}

async function measure(rig: QueryRig, options: QueryOptions, print: Print): Promise<Finding[]> {
  const { only } = options;
  const findings: Finding[] = [];
  if (only.includes('latest')) findings.push(...(await measureLatest(rig, options, print)));
  if (only.includes('month')) findings.push(...(await measureMonth(rig, options, print)));
  if (only.includes('sizes')) findings.push(...(await measureSizes(rig, options, print)));
  return findings;
}

function describe({ requests, repetitions, node }: QueryOptions): string {
  const withNode = node.length === 0 ? '' : `, Node with ${node.join(' ')}`;
  return (
    `embedded DynamoDB engine, ${requests} requests for latest readings per run, ` +
    `${repetitions} repetitions (median and extremes)${withNode}; ` +
    'wall-clock figures include the engine and the client'
  );
}
