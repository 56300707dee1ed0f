import { randomUUID } from 'node:crypto';
import {
  explainPartition,
  explainThrottling,
  hotFrom,
  hottestFirst,
  isHot,
  placeOfPartition,
} from '@engawa/heat';
import { integerParameter, resolveHostByDns, route } from '@engawa/http';
import { z } from 'zod';
import { forwardedHeaders, forwardedRequestHeaders } from './forwarded-headers.ts';
import { mergePeers, visibleProcesses } from './merge-peers.ts';
import { explainedReport, mergedReport, maxPartitions } from './report-schema.ts';
import type { HeatReport, KeyNaming, ReportedPartition } from '@engawa/heat';
import type { Places, ResolveHost, Route } from '@engawa/http';

export interface HotPartitionOptions {
  /**
   * The hottest keys of this process, at most `limit`.
   * @param keys the naming; by default as in HOT_PARTITION_KEYS
   */
  report: (limit: number, keys?: KeyNaming) => HeatReport;
  /** URLs of the APIs whose reports are merged; a host name with several addresses stands for all of them. */
  peers: readonly string[];
  /** By default the DNS lookup of the operating system. */
  resolveHost?: ResolveHost;
  /** The process id in its reports; by default a random one. */
  process?: string;
}

const query = z.strictObject({
  limit: integerParameter({ minimum: 1, maximum: maxPartitions })
    .prefault(20)
    .describe('Maximum number of partition keys.'),
  hot: z
    .enum(['true', 'false'])
    .prefault('false')
    .describe(
      '`true` lists only the keys that are hot now; otherwise the busiest keys are listed, hot or not.',
    ),
});

type HotPartitionQuery = z.output<typeof query>;

/** The maximum of the schema; merged reports are cut to it as well. */
const maxThrottlingReasons = 1000;

/** A report is only valid now. */
const headers = { 'Cache-Control': 'no-store' };

/** `GET /v1/hot-partitions` of this process, and `GET /v1/hot-partitions/merged` of all processes. */
export function hotPartitionRoutes(options: HotPartitionOptions): Route[] {
  const { process = randomUUID() } = options;
  return [ofThisProcess(options, process), ofAll(options, process)];
}

function ofThisProcess({ report }: HotPartitionOptions, process: string): Route {
  return route({
    method: 'get',
    path: '/v1/hot-partitions',
    operationId: 'getHotPartitions',
    summary: 'List hot partitions of this process',
    description:
      'The partition keys that this process uses most, with their load and throttles of the last seconds, the reason, and advice. Other processes use the same keys: `/v1/hot-partitions/merged` adds up all of them.',
    tags: ['operations'],
    query,
    responses: { 200: { description: 'The report of this process.', schema: explainedReport } },
    filtersByPlace: true,
    allowsPeers: true,
    handle: ({ query, places, isPeer }) => {
      // Processes with the same secret hash a key to the same name, so their reports can be added
      // up; hidden names cannot.
      const known = isPeer ? report(maxPartitions, 'hashed') : report(maxPartitions);
      const body = { process, ...toOutput(known, query, places) };
      return { status: 200, headers, body };
    },
  });
}

function ofAll(
  { report, peers, resolveHost = resolveHostByDns }: HotPartitionOptions,
  process: string,
): Route {
  return route({
    method: 'get',
    path: '/v1/hot-partitions/merged',
    operationId: 'getMergedHotPartitions',
    summary: 'List hot partitions of all processes',
    description:
      'Requests the reports of all processes in HOT_PARTITION_PEERS concurrently, for at most two seconds and with the token of this request, and adds them up. Without HOT_PARTITION_PEERS, the report has this process only.',
    tags: ['operations'],
    query,
    headers: forwardedRequestHeaders,
    responses: {
      200: {
        description: 'The merged report of all processes that responded.',
        schema: mergedReport,
      },
    },
    filtersByPlace: true,
    handle: async ({ query, places, headers: { authorization }, log, signal }) => {
      if (peers.length === 0) {
        const processes = [{ answered: true as const, process }];
        const body = { ...toOutput(report(maxPartitions), query, places), processes };
        return { status: 200, headers, body };
      }
      const given = forwardedHeaders(log, authorization);
      const { report: merged = emptyReport(report), processes } = await mergePeers({
        peers,
        resolveHost,
        headers: given,
        signal,
      });
      const polled = visibleProcesses(processes, places);
      const body = { ...toOutput(merged, query, places), processes: polled };
      return { status: 200, headers, body };
    },
  });
}

/** The report where no process responded: only window, limits and key naming. */
function emptyReport(report: HotPartitionOptions['report']): HeatReport {
  return { ...report(1), partitions: [], throttling: [] };
}

function toOutput(report: HeatReport, { limit, hot }: HotPartitionQuery, places: Places) {
  const partitions = report.partitions
    .filter((partition) => isOfPlaces(partition, report, places))
    .filter((partition) => hot === 'false' || isHotNow(partition))
    .sort(
      (left, right) =>
        Number(isHotNow(right)) - Number(isHotNow(left)) || hottestFirst(left, right),
    );
  return {
    ...report,
    restrictedToPlaces: places.isRestricted,
    partitions: partitions.slice(0, limit).map(explainPartition),
    throttling: report.throttling.slice(0, maxThrottlingReasons).map(explainThrottling),
  };
}

/** Keys that do not contain a place, such as those of devices, are not shown to callers restricted to places. */
function isOfPlaces({ partition }: ReportedPartition, { keys }: HeatReport, places: Places) {
  if (!places.isRestricted) return true;
  return keys === 'shown' && places.allows(placeOfPartition(partition));
}

/** A key is also hot where only the total of all processes is. */
function isHotNow(partition: ReportedPartition): boolean {
  return isHot(partition) || partition.utilization >= hotFrom;
}
