import { api } from '../../api/client.ts';
import type { query } from '@engawa/client';
import type { TimeRange } from '../../charts/chart.ts';
import type { AggregatesParameters, ExploreRequest, Width } from './explore-requests.ts';

export type AggregatesRequest = Extract<ExploreRequest, { operation: 'aggregates' }>;
type Item = query.GetPlaceAggregatesOutput['items'][number];
type Output = Pick<query.GetPlaceAggregatesOutput, 'every' | 'items' | 'cursor'>;

/** The buckets of a source. */
export interface LoadedAggregates {
  request: AggregatesRequest;
  every: Width;
  /** All buckets, in order of time; the same for all sources of equal parameters. */
  buckets: readonly TimeRange[];
  /** By device, where the request is split by device; otherwise one group. */
  groups: readonly LoadedGroup[];
  /** Fields that have no number in some bucket, but other values. */
  withoutNumbers: ReadonlySet<string>;
}

export interface LoadedGroup {
  device: string | undefined;
  /** For each bucket, in the same order. */
  fields: readonly (Item['fields'] | undefined)[];
}

const pageLimit = 1000;

/** All pages of a request. @throws ProblemError, TypeError as of a request */
export async function loadAggregates(
  request: AggregatesRequest,
  signal: AbortSignal,
): Promise<LoadedAggregates> {
  const first = await loadPage(request, undefined, signal);
  const items = [...first.items];
  for (let { cursor } = first; cursor !== undefined;) {
    const page = await loadPage(request, cursor, signal);
    items.push(...page.items);
    cursor = page.cursor;
  }
  return { request, every: first.every, ...grouped(items) };
}

async function loadPage(
  { source, parameters }: AggregatesRequest,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Output> {
  const { groupBy, ...shared } = parameters;
  const input: AggregatesParameters & { cursor?: string | undefined; limit: number } = {
    ...shared,
    cursor,
    limit: pageLimit,
  };
  if (source.kind === 'device') {
    return (await api.query.getAggregates({ ...input, id: source.id }, { signal })).body;
  }
  if (source.kind === 'place') {
    return (await api.query.getPlaceAggregates({ ...input, groupBy, id: source.id }, { signal }))
      .body;
  }
  const { place, room } = source;
  return (await api.query.getRoomAggregates({ ...input, groupBy, place, room }, { signal })).body;
}

function grouped(items: readonly Item[]): Omit<LoadedAggregates, 'request' | 'every'> {
  const positions = new Map<string, number>();
  const buckets: TimeRange[] = [];
  for (const { from, to } of items) {
    if (positions.has(from)) continue;
    positions.set(from, buckets.length);
    buckets.push({ from: Date.parse(from), to: Date.parse(to) });
  }
  const groups = [...Map.groupBy(items, ({ device }) => device)].map(([device, own]) => {
    const fields = Array<Item['fields'] | undefined>(buckets.length).fill(undefined);
    for (const item of own) fields[positions.get(item.from) ?? 0] = item.fields;
    return { device, fields };
  });
  const notes = items.flatMap((item) => item.notes ?? []);
  return { buckets, groups, withoutNumbers: new Set(notes.map(({ field }) => field)) };
}
