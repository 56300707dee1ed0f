import { randomUUID } from 'node:crypto';
import { explainPartition, hotFrom, hottestFirst, isHot, placeOfPartition } from '@engawa/heat';
import { z } from 'zod';
import { integerParameter } from '../request/integer-parameter.ts';
import { route } from '../route/route.ts';
import { systemLookUp } from './resolve-addresses.ts';
import { mergePeers } from './merge-peers.ts';
import { explainedReport, mergedReport, maxPartitions } from './report-schema.ts';
import type { HeatReport, KeyNaming, ReportedPartition } from '@engawa/heat';
import type { Logger } from 'pino';
import type { Places } from '../route/places.ts';
import type { Route } from '../route/route.ts';
import type { LookUp } from './resolve-addresses.ts';

export interface HotPartitionOptions {
  /** What this process knows: the hottest keys, at most so many. @param keys by default as HOT_PARTITION_KEYS says */
  report: (limit: number, keys?: KeyNaming) => HeatReport;
  /** Services to ask as well, by the URLs of their APIs; a name with several addresses stands for all of them. */
  peers: readonly string[];
  /** By default as the system does it. */
  lookUp?: LookUp;
  /** The name of this process in its answers; by default a random one. */
  process?: string;
}

const query = z.strictObject({
  limit: integerParameter({ minimum: 1, maximum: maxPartitions })
    .prefault(20)
    .describe('How many partition keys to give at most.'),
  hot: z
    .enum(['true', 'false'])
    .prefault('false')
    .describe('`true` gives only those that are hot now; otherwise the busiest, hot or not.'),
});

type Asked = z.output<typeof query>;

/** As far as the contract goes: what others say is cut, too. */
const maxThrottlingReasons = 1000;

/** What is true now is of no use later. */
const headers = { 'Cache-Control': 'no-store' };

/** `GET /v1/hot-partitions`, of this process, and `GET /v1/hot-partitions/merged`, of all that are known. */
export function hotPartitionRoutes(options: HotPartitionOptions): Route[] {
  const { process = randomUUID() } = options;
  return [ofThisProcess(options, process), ofAll(options, process)];
}

function ofThisProcess({ report }: HotPartitionOptions, process: string): Route {
  return route({
    method: 'get',
    path: '/v1/hot-partitions',
    operationId: 'getHotPartitions',
    summary: 'Which partition keys are hot, why, and what to do',
    description:
      'What this process has sent to DynamoDB in the last seconds, by partition key. Others use the same keys: `/v1/hot-partitions/merged` asks them too.',
    tags: ['operations'],
    query,
    responses: { 200: { description: 'What this process knows now.', schema: explainedReport } },
    filtersByPlace: true,
    allowsPeers: true,
    handle: ({ query, places, isPeer }) => {
      // Hashes match in all processes that have the same secret, as a peer has; hidden names match nothing.
      const known = isPeer ? report(maxPartitions, 'hashed') : report(maxPartitions);
      const body = { process, ...shown(known, query, places) };
      return { status: 200, headers, body };
    },
  });
}

function ofAll(
  { report, peers, lookUp = systemLookUp }: HotPartitionOptions,
  process: string,
): Route {
  return route({
    method: 'get',
    path: '/v1/hot-partitions/merged',
    operationId: 'getMergedHotPartitions',
    summary: 'Which partition keys are hot, as all processes together know',
    description:
      'Asks the processes that HOT_PARTITION_PEERS names, all at once and for two seconds at most, with the token of this request, and adds up what they say. Without any, it is what this process knows.',
    tags: ['operations'],
    query,
    headers: z.object({
      authorization: z.string().optional().describe('Shown to the other processes as well.'),
    }),
    responses: { 200: { description: 'What those know that answered.', schema: mergedReport } },
    filtersByPlace: true,
    handle: async ({ query, places, headers: { authorization }, log, signal }) => {
      if (peers.length === 0) {
        const processes = [{ answered: true as const, process }];
        const body = { ...shown(report(maxPartitions), query, places), processes };
        return { status: 200, headers, body };
      }
      const given = { ...requestIdOf(log), ...(authorization !== undefined && { authorization }) };
      const { report: merged = nothing(report), processes } = await mergePeers({
        peers,
        lookUp,
        headers: given,
        signal,
      });
      return { status: 200, headers, body: { ...shown(merged, query, places), processes } };
    },
  });
}

/** The same id finds the lines in the logs of all of them. */
function requestIdOf(log: Logger): { 'x-request-id'?: string } {
  const { requestId } = log.bindings();
  return typeof requestId === 'string' ? { 'x-request-id': requestId } : {};
}

/** What is known where nobody has answered: only how this process counts. */
function nothing(report: HotPartitionOptions['report']): HeatReport {
  return { ...report(1), partitions: [], throttling: [] };
}

function shown(report: HeatReport, { limit, hot }: Asked, places: Places) {
  const partitions = report.partitions
    .filter((partition) => isOfPlaces(partition, report, places))
    .filter((partition) => hot === 'false' || isHotNow(partition))
    .sort(
      (left, right) =>
        Number(isHotNow(right)) - Number(isHotNow(left)) || hottestFirst(left, right),
    );
  return {
    ...report,
    partitions: partitions.slice(0, limit).map(explainPartition),
    throttling: report.throttling.slice(0, maxThrottlingReasons),
  };
}

/** Of a key that does not name its place, such as that of a device, a caller with some places is told nothing. */
function isOfPlaces({ partition }: ReportedPartition, { keys }: HeatReport, places: Places) {
  if (!places.isRestricted) return true;
  return keys === 'shown' && places.allows(placeOfPartition(partition));
}

/** Also a key that is hot by what several processes know, though in none of them alone. */
function isHotNow(partition: ReportedPartition): boolean {
  return isHot(partition) || partition.utilization >= hotFrom;
}
