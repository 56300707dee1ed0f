import { mergeReports } from '@engawa/heat';
import { fetchPeerReports } from './fetch-peer-reports.ts';
import { maxPartitions, reportQuestion } from './report-schema.ts';
import type { HeatReport } from '@engawa/heat';
import type { Places } from '@engawa/http';
import type { PeerReportsOptions, PeerResponse } from './fetch-peer-reports.ts';
import type { PolledProcess } from './report-schema.ts';

/** Merges the reports of all peers. @returns the merged report, and for each peer whether it responded or why not */
export async function mergePeers(
  options: PeerReportsOptions,
): Promise<{ report: HeatReport | undefined; processes: PolledProcess[] }> {
  const responses = await fetchPeerReports(reportQuestion, options);
  options.signal.throwIfAborted();
  const { reports, processes } = reportsByProcess(responses);
  const report = reports.length === 0 ? undefined : mergeReports(reports, maxPartitions);
  return { report, processes };
}

/** One report per process, and for each peer whether it responded or why not. */
export function reportsByProcess<Report extends { process: string }>(
  responses: readonly PeerResponse<Report>[],
): { reports: Omit<Report, 'process'>[]; processes: PolledProcess[] } {
  const reports = new Map<string, Omit<Report, 'process'>>();
  const processes = responses.map(({ answer, ...peer }): PolledProcess => {
    if ('why' in answer) return { ...peer, answered: false, why: answer.why };
    const { process, ...report } = answer;
    // A process with two addresses or host names counts once.
    if (!reports.has(process)) reports.set(process, report);
    return { ...peer, answered: true, process };
  });
  return { reports: [...reports.values()], processes };
}

/** Processes belong to no place: a restricted caller gets no address of them. */
export function visibleProcesses(
  processes: readonly PolledProcess[],
  places: Places,
): PolledProcess[] {
  if (!places.isRestricted) return [...processes];
  return processes.map((one) =>
    one.answered ? { answered: true, process: one.process } : { answered: false, why: one.why },
  );
}
