import { withRig } from '../with-rig.ts';
import { measureLocal } from './measure-local.ts';
import { measureServices } from './measure-services.ts';
import { requireProc } from './process-usage.ts';
import { StartRig } from './rig.ts';
import type { Findings, Print } from '../report.ts';
import type { StartOptions } from './options.ts';

export async function benchStart(options: StartOptions, print: Print): Promise<Findings> {
  requireProc();
  const findings = await withRig(await StartRig.start(options), (rig) =>
    measureServices(rig, options, print),
  );
  if (options.only.includes('local')) findings.push(...(await measureLocal(options, print)));
  return { how: describe(options), findings };
}

function describe({ repetitions, node }: StartOptions): string {
  const withNode = node.length === 0 ? '' : `, Node with ${node.join(' ')}`;
  return (
    `embedded DynamoDB engine and broker, ${repetitions} starts of each process (median and extremes)${withNode}; ` +
    'the baseline is Node without a program of its own'
  );
}
