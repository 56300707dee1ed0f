import { coveringServices, mergePartitions } from './merge-reports.ts';
import type { MergedHistory } from './compact-history.ts';
import type { MergedReport, ReportedPartition, ServiceName } from './merge-reports.ts';

function answer(...processes: string[]): Pick<MergedHistory, 'processes'> {
  return { processes: processes.map((process) => ({ answered: true, process })) };
}

describe('coveringServices', () => {
  it('are all services without peers, and one of four that are peers', () => {
    const apart: [ServiceName, ReturnType<typeof answer>][] = [
      ['catalog', answer('c')],
      ['query', answer('q')],
      ['ingestion', answer('i')],
    ];
    expect(coveringServices(new Map(apart))).toEqual(['query', 'ingestion', 'catalog']);
    const together = apart.map(([service]) => [service, answer('q', 'i', 'c')] as const);
    expect(coveringServices(new Map(together))).toEqual(['query']);
  });

  it('have the service with the most processes first, and no process twice', () => {
    const answers = new Map<ServiceName, ReturnType<typeof answer>>([
      ['query', answer('q', 'r')],
      ['registry', answer('q', 'r', 'c')],
      ['ingestion', answer('i')],
    ]);
    expect(coveringServices(answers)).toEqual(['registry', 'ingestion']);
  });
});

function partition(given: Partial<ReportedPartition>): ReportedPartition {
  return {
    ...{ index: 'table', unit: 'write', partition: 'DEVICE#a', advice: [], reason: '' },
    ...{ unitsPerSecond: 0, uncertainty: 0, utilization: 0, throttlesPerSecond: {} },
    ...{ description: '', writtenBy: '', ...given },
  };
}

function reportWith(...partitions: ReportedPartition[]): MergedReport {
  const limits = { read: 3000, write: 1000 };
  const none = { throttling: [], processes: [], restrictedToPlaces: false };
  return { windowSeconds: 10, limits, keys: 'shown', partitions, ...none };
}

describe('mergePartitions', () => {
  it('adds up the reports of a key, with the texts of the process where it is hot', () => {
    const hot = partition({
      ...{ utilization: 0.4, unitsPerSecond: 400, reason: 'hot', hotSince: '2026-11-20T09:00:00Z' },
      throttlesPerSecond: { key_range: 2 },
    });
    const cold = partition({
      utilization: 0.5,
      unitsPerSecond: 500,
      throttlesPerSecond: { other: 1 },
    });
    expect(mergePartitions([reportWith(cold), reportWith(hot)])).toMatchObject([
      {
        ...{ utilization: 0.9, unitsPerSecond: 900, reason: 'hot' },
        throttlesPerSecond: { key_range: 2, other: 1 },
      },
    ]);
  });
});
