import { mergeReports } from '@engawa/heat';
import { fetchPeerReports } from './fetch-peer-reports.ts';
import { maxPartitions } from './report-schema.ts';
import type { HeatReport } from '@engawa/heat';
import type { PeerReportsOptions } from './fetch-peer-reports.ts';
import type { PolledProcess } from './report-schema.ts';

/** Merges the reports of all peers. @returns the merged report, and for each peer whether it responded or why not */
export async function mergePeers(
  options: PeerReportsOptions,
): Promise<{ report: HeatReport | undefined; processes: PolledProcess[] }> {
  const responses = await fetchPeerReports(options);
  options.signal.throwIfAborted();
  const reports = new Map<string, HeatReport>();
  const processes = responses.map(({ answer, ...peer }): PolledProcess => {
    if ('why' in answer) return { ...peer, answered: false, why: answer.why };
    const { process, ...report } = answer;
    // A process with two addresses or host names counts once.
    if (!reports.has(process)) reports.set(process, report);
    return { ...peer, answered: true, process };
  });
  const known = [...reports.values()];
  const report = known.length === 0 ? undefined : mergeReports(known, maxPartitions);
  return { report, processes };
}
