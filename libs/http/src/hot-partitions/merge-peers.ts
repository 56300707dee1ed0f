import { mergeReports } from '@engawa/heat';
import { askPeers } from './fetch-peer-reports.ts';
import { maxPartitions } from './report-schema.ts';
import type { HeatReport } from '@engawa/heat';
import type { AskPeersOptions } from './fetch-peer-reports.ts';
import type { AskedProcess } from './report-schema.ts';

/** What all peers that answer know together, and who they are. One that does not answer is named, and holds up nothing. */
export async function mergePeers(
  options: AskPeersOptions,
): Promise<{ report: HeatReport | undefined; processes: AskedProcess[] }> {
  const asked = await askPeers(options);
  options.signal.throwIfAborted();
  const reports = new Map<string, HeatReport>();
  const processes = asked.map(({ answer, ...peer }): AskedProcess => {
    if ('why' in answer) return { ...peer, answered: false, why: answer.why };
    const { process, ...report } = answer;
    // With two addresses, or under two names, it is still one process.
    if (!reports.has(process)) reports.set(process, report);
    return { ...peer, answered: true, process };
  });
  const known = [...reports.values()];
  const report = known.length === 0 ? undefined : mergeReports(known, maxPartitions);
  return { report, processes };
}
