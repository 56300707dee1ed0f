import { lastMonth } from '../query/month.ts';
import { renderRows } from '../report.ts';
import { withRig } from '../with-rig.ts';
import { findingsOf, rowsOf } from './report-growth.ts';
import { measureSize } from './measure-size.ts';
import { GrowthRig } from './rig.ts';
import { nameOf, sizesOf } from './sizes.ts';
import type { Findings, Print } from '../report.ts';
import type { MeasuredSize } from './report-growth.ts';
import type { GrowthOptions } from './options.ts';

const columns = [
  'access pattern',
  'table',
  'requests',
  'read units',
  'write units',
  'CPU, µs',
  'peak memory, MB',
];

export async function benchGrowth(options: GrowthOptions, print: Print): Promise<Findings> {
  const month = lastMonth(Date.now());
  const measured = await withRig(new GrowthRig(options), async (rig) => {
    const sizes: MeasuredSize[] = [];
    for (const size of sizesOf(options)) {
      print(`${nameOf(size)} …`);
      sizes.push({ size, costs: await measureSize(rig, size, month, options.requests) });
    }
    return sizes;
  });
  return {
    how: `embedded DynamoDB engine, ${options.requests} requests per access pattern, one after the other`,
    findings: findingsOf(measured),
    more: [renderRows(columns, rowsOf(measured))],
  };
}
