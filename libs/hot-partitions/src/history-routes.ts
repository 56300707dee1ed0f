import { busiestRows, maxHistoryRows, mergeHistories, placeOfPartition } from '@engawa/heat';
import {
  fittingText,
  integerParameter,
  jsonText,
  JsonText,
  resolveTime,
  route,
  timeParameter,
} from '@engawa/http';
import { z } from 'zod';
import { fetchPeerReports } from './fetch-peer-reports.ts';
import { forwardedHeaders, forwardedRequestHeaders } from './forwarded-headers.ts';
import { historyPath, historyQuestion, mergedHistory, processHistory } from './history-schema.ts';
import { reportsByProcess, visibleProcesses } from './merge-peers.ts';
import type { HeatHistoryReport, HistoryWindow } from '@engawa/heat';
import type { ClientWork, Places, ResolveHost, ResponseWork, Route } from '@engawa/http';
import type { WatchedHeat } from './peer-poller.ts';

export interface HistoryRoutesOptions {
  history: WatchedHeat['history'];
  /** URLs of the APIs whose histories are merged. */
  peers: readonly string[];
  resolveHost: ResolveHost;
  /** The process id in its reports. */
  process: string;
}

const query = z.strictObject({
  resolution: z
    .enum(['second', 'minute'])
    .prefault('second')
    .describe('`second`: the last 10 minutes; `minute`: the last 24 hours.'),
  from: timeParameter
    .optional()
    .describe(
      'Only columns from this time on, such as `now-10s`, for a client that has the earlier ones; local times are in UTC.',
    ),
  limit: integerParameter({ minimum: 1, maximum: maxHistoryRows })
    .prefault(String(maxHistoryRows))
    .describe(
      'Maximum number of rows, fewer if they do not fit a page. The least busy keys beyond it are added to the row of their kind. With fewer rows than kinds (at most 32), the least busy rows are left out.',
    ),
});

type HistoryQuery = z.output<typeof query>;

/** A history is only valid now. */
const headers = { 'Cache-Control': 'no-store' };

/** `GET /v1/hot-partitions/history` of this process, and `…/history/merged` of all processes. */
export function historyRoutes(options: HistoryRoutesOptions): Route[] {
  return [ofThisProcess(options), ofAll(options)];
}

function ofThisProcess({ history, process }: HistoryRoutesOptions): Route {
  return route({
    method: 'get',
    path: historyPath,
    operationId: 'getHotPartitionHistory',
    summary: 'Show the load of partition keys over time, of this process',
    description:
      'What this process consumed of each partition key, by seconds or minutes: the busiest keys have rows of their own, the others are merged by kind and index. Other processes use the same keys: `/v1/hot-partitions/history/merged` adds up all of them.',
    tags: ['operations'],
    query,
    responses: { 200: { description: 'The history of this process.', schema: processHistory } },
    filtersByPlace: true,
    handle: async ({ query, places, budget: { maxBytes }, work }) => {
      const body = await largeBody(work, maxBytes, () => {
        const report = history.report(requestOf(query));
        return { report, query, places, more: { process } };
      });
      return { status: 200, headers, body };
    },
  });
}

function ofAll({ history, peers, resolveHost, process }: HistoryRoutesOptions): Route {
  return route({
    method: 'get',
    path: `${historyPath}/merged`,
    operationId: 'getMergedHotPartitionHistory',
    summary: 'Show the load of partition keys over time, of all processes',
    description:
      'Requests the histories of all processes in HOT_PARTITION_PEERS concurrently, for at most two seconds and with the token of this request, and adds up their columns. Without HOT_PARTITION_PEERS, the history has this process only. The last two columns may still change, since clocks differ.',
    tags: ['operations'],
    query,
    headers: forwardedRequestHeaders,
    responses: {
      200: {
        description: 'The merged history of all processes that responded.',
        schema: mergedHistory,
      },
    },
    filtersByPlace: true,
    handle: async ({ query, places, headers: { authorization }, log, signal, budget, work }) => {
      const { maxBytes } = budget;
      const own = history.report(requestOf(query));
      if (peers.length === 0) {
        const processes = [{ answered: true as const, process }];
        const body = await largeBody(work, maxBytes, () => {
          return { report: own, query, places, more: { processes } };
        });
        return { status: 200, headers, body };
      }
      const question = historyQuestion({ resolution: query.resolution, from: own.start });
      const given = forwardedHeaders(log, authorization);
      const responses = await fetchPeerReports(question, {
        ...{ peers, resolveHost, headers: given, signal },
      });
      signal.throwIfAborted();
      const { reports, processes } = reportsByProcess(responses);
      const ofResolution = reports.filter(({ resolution }) => resolution === query.resolution);
      const body = await largeBody(work, maxBytes, () => {
        const merged = mergeHistories(ofResolution, windowOf(own), maxHistoryRows);
        const polled = visibleProcesses(processes, places);
        return { report: merged, query, places, more: { processes: polled } };
      });
      return { status: 200, headers, body };
    },
  });
}

interface HistoryOutput {
  report: HeatHistoryReport;
  query: HistoryQuery;
  places: Places;
  /** The properties of the body besides those of the report. */
  more: object;
}

/** A history is computed and serialized while the client has a slot: its rows have some megabytes before they fit. */
function largeBody(
  work: ClientWork,
  maxBytes: number,
  compute: () => HistoryOutput,
): Promise<JsonText> {
  return work.holdPage(() => work.run(bodyText(compute(), maxBytes)));
}

/** Share of the rows that fit which remain, since the merged rows of further keys become larger. */
const keptShare = 0.9;

/** With as many rows as fit: further keys are added to the row of their kind, as beyond the limit of the request. */
function* bodyText(
  { report, query, places, more }: HistoryOutput,
  maxBytes: number,
): ResponseWork<JsonText> {
  let { limit } = query;
  for (;;) {
    const output = toOutput(report, limit, places);
    const { text, count } = yield* fittingText(output.rows, maxBytes);
    if (count === output.rows.length)
      return new JsonText(yield* jsonText({ ...output, rows: text, ...more }));
    limit = Math.max(1, Math.floor(count * keptShare));
  }
}

function requestOf({ resolution, from }: HistoryQuery) {
  if (from === undefined) return { resolution };
  const context = { now: Date.now(), timeZone: 'UTC' };
  return { resolution, fromMs: resolveTime(from, context, 'query.from') };
}

function windowOf({ resolution, start, columns }: HeatHistoryReport): HistoryWindow {
  return { resolution, startMs: Date.parse(start), columns };
}

/**
 * A restricted caller gets the keys of its places. Merged keys, whose names have no place, and reshards concern other
 * places, too, and are left out.
 */
function toOutput(report: HeatHistoryReport, limit: number, places: Places) {
  const isOfPlaces = ({ partition }: HeatHistoryReport['rows'][number]): boolean =>
    report.keys === 'shown' && places.allows(placeOfPartition(partition));
  const rows = places.isRestricted ? report.rows.filter(isOfPlaces) : report.rows;
  const reshards = places.isRestricted ? [] : report.reshards;
  const { limits } = report;
  return {
    ...report,
    rows: busiestRows(rows, { limits, window: windowOf(report), limit }),
    reshards,
  };
}
