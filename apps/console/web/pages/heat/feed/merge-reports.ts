import type { query } from '@engawa/client';
import type { MergedHistory } from './compact-history.ts';

export type MergedReport = query.GetMergedHotPartitionsOutput;
export type ReportedPartition = MergedReport['partitions'][number];

export const services = ['query', 'ingestion', 'registry', 'catalog'] as const;
export type ServiceName = (typeof services)[number];

/**
 * The services whose answers have each process once. With HOT_PARTITION_PEERS as the chart sets it, one service answers
 * for the processes of all four; without peers, each answers for the process that was asked. A service that shares a
 * process with one that was chosen before is left out, since that process would count twice.
 */
export function coveringServices(
  answers: ReadonlyMap<ServiceName, Pick<MergedHistory, 'processes'>>,
): ServiceName[] {
  const processesOf = (service: ServiceName): string[] =>
    (answers.get(service)?.processes ?? []).flatMap((one) => (one.answered ? [one.process] : []));
  const byReach = services
    .filter((service) => answers.has(service))
    .sort((a, b) => processesOf(b).length - processesOf(a).length);
  const covered = new Set<string>();
  return byReach.filter((service) => {
    const processes = processesOf(service);
    if (processes.some((process) => covered.has(process))) return false;
    for (const process of processes) covered.add(process);
    return true;
  });
}

/** Adds up the reports of services that are no peers of each other. The texts are of the process with the most load. */
export function mergePartitions(reports: Iterable<MergedReport>): ReportedPartition[] {
  const merged = new Map<string, ReportedPartition>();
  for (const { partitions } of reports) {
    for (const partition of partitions) {
      const id = partitionId(partition);
      const known = merged.get(id);
      merged.set(id, known === undefined ? partition : sumOf(known, partition));
    }
  }
  return [...merged.values()].sort((a, b) => b.utilization - a.utilization);
}

export function partitionId({
  index,
  unit,
  partition,
}: Pick<ReportedPartition, 'index' | 'unit' | 'partition'>): string {
  return `${index} ${unit} ${partition}`;
}

function sumOf(one: ReportedPartition, other: ReportedPartition): ReportedPartition {
  const [main, rest] = isHotter(other, one) ? [other, one] : [one, other];
  const throttles = { ...main.throttlesPerSecond };
  for (const [scope, perSecond] of Object.entries(rest.throttlesPerSecond)) {
    const name = scope as keyof typeof throttles;
    throttles[name] = (throttles[name] ?? 0) + perSecond;
  }
  return {
    ...main,
    unitsPerSecond: main.unitsPerSecond + rest.unitsPerSecond,
    uncertainty: main.uncertainty + rest.uncertainty,
    utilization: main.utilization + rest.utilization,
    throttlesPerSecond: throttles,
  };
}

function isHotter(one: ReportedPartition, other: ReportedPartition): boolean {
  const hot = Number(one.hotSince !== undefined) - Number(other.hotSince !== undefined);
  return hot === 0 ? one.utilization > other.utilization : hot > 0;
}

/** Hot now: reported as hot, or with advice because it is hot in total only. */
export function isHot({ hotSince, advice }: ReportedPartition): boolean {
  return hotSince !== undefined || advice.length > 0;
}
