import { withRig } from '../with-rig.ts';
import { measureDevice } from './measure-device.ts';
import { measureHeat } from './measure-heat.ts';
import { measureList } from './measure-list.ts';
import { measureMetric } from './measure-metric.ts';
import { HotRig } from './rig.ts';
import type { Findings, Print } from '../report.ts';
import type { PartFindings } from './part-findings.ts';
import type { HotOptions, HotPart } from './options.ts';

type Measure = (rig: HotRig, options: HotOptions, print: Print) => Promise<PartFindings>;

const measures: Readonly<Record<HotPart, Measure>> = {
  device: measureDevice,
  heat: (_rig, _options, print) => measureHeat(print),
  metric: measureMetric,
  list: measureList,
};

export async function benchHot(options: HotOptions, print: Print): Promise<Findings> {
  const closables = await withRig(await HotRig.start(options), async (rig) => {
    const found: PartFindings[] = [];
    for (const part of options.only) found.push(await measures[part](rig, options, print));
    return found;
  });
  return {
    how: describe(options),
    findings: closables.flatMap(({ findings }) => findings),
    more: closables.flatMap(({ more = [] }) => more),
  };
}

function describe({ limit, devices, seconds, node }: HotOptions): string {
  const withNode = node.length === 0 ? '' : `, Node with ${node.join(' ')}`;
  return (
    `embedded broker and DynamoDB engine behind the simulator: a partition key accepts ${limit} write units a second, ` +
    `one second of burst; ${devices} other devices; hot for ${seconds} s${withNode}`
  );
}
