import { Worker } from '../worker.ts';
import { median, spread } from '../statistics.ts';
import type { HeatMethods } from '../children/heat.ts';
import type { Finding, Print } from '../report.ts';
import type { PartFindings } from './part-findings.ts';

/** Seconds of records (fifty thousand each) that the ten hottest are compared with the truth of. */
const seconds = 210;
const records = 6_000_000;
const turns = 3;
const megabyte = 1024 * 1024;

/** The sketches of libs/heat alone: accuracy, memory and CPU. */
export async function measureHeat(print: Print): Promise<PartFindings> {
  return {
    findings: [await measureAgreement(print), await measureMemory(print), await measureCpu(print)],
  };
}

/** In a separate process, whose heap and CPU are used by nothing else. */
async function withHeat<Result>(
  measure: (heat: Worker<HeatMethods>) => Promise<Result>,
): Promise<Result> {
  const heat = await Worker.start<HeatMethods>('heat', {}, ['--expose-gc']);
  try {
    return await measure(heat);
  } finally {
    await heat.close();
  }
}

async function measureAgreement(print: Print): Promise<Finding> {
  print(`heat: ten hottest of a million keys, for ${seconds} simulated seconds`);
  const { checks, agreed } = await withHeat((heat) => heat.call('agreement', { seconds }));
  return {
    what: 'heat, Zipf over 1,000,000 keys: checks in which the ten hottest are correct',
    measured: String(agreed),
    baseline: String(checks),
    ratio: (agreed / checks).toFixed(3),
    target: '≥ 0.99',
    reached: agreed >= 0.99 * checks,
  };
}

async function measureMemory(print: Print): Promise<Finding> {
  print('heat: memory');
  const { heat, exact, exactKeys } = await withHeat((child) => {
    return child.call('memory', { records: 1_000_000 });
  });
  return {
    what: `heat, memory of all six counters, MB; baseline: a Map with exact counts of one of them (${exactKeys} keys)`,
    measured: (heat / megabyte).toFixed(2),
    baseline: (exact / megabyte).toFixed(0),
    ratio: (heat / exact).toFixed(3),
    target: '< 2',
    reached: heat < 2 * megabyte,
  };
}

async function measureCpu(print: Print): Promise<Finding> {
  const results: { heat: number; exact: number }[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    print(`heat: CPU of ${records / 1e6} million records, ${turn} of ${turns}`);
    results.push(await withHeat((heat) => heat.call('cpu', { records })));
  }
  const of = (key: 'heat' | 'exact') => results.map((result) => result[key]);
  return {
    what: 'heat, CPU per record, µs; baseline: a Map with exact counts, never pruned',
    measured: spread(of('heat'), 2),
    baseline: spread(of('exact'), 2),
    ratio: (median(of('heat')) / median(of('exact'))).toFixed(2),
    target: '< 1',
    reached: median(of('heat')) < 1,
  };
}
