import { invariant } from '@engawa/errors';
import { earliestInstant } from '@engawa/keys';
import { bucketAt } from '../aggregates/calendar.ts';
import { filled, needsNeighbours } from '../aggregates/fill.ts';
import { nearStart } from '../aggregates/last-values.ts';
import { neighboursOf } from '../aggregates/neighbours.ts';
import { widthOf } from './aggregates-query.ts';
import pMap from 'p-map';
import type { AggregateBucket } from '../aggregates/aggregate.ts';
import type {
  AggregateRequest,
  AggregateSource,
  PeriodGroup,
} from '../aggregates/aggregate-request.ts';
import type { Fill, Neighbours } from '../aggregates/fill.ts';
import type { NeighboursRequest } from '../aggregates/neighbours.ts';
import type { AggregatesQuery, BucketStart } from './aggregates-query.ts';

interface PageRequest {
  /** The request that the buckets answer. */
  request: AggregateRequest;
  query: AggregatesQuery;
  where: BucketStart;
}

const maxConcurrentGroups = 4;

/**
 * The buckets of a page, with values filled in for missing fields.
 * @returns undefined where the page stops because it has made progress: the same request then gets
 * further
 */
export async function filledPage(
  source: AggregateSource,
  buckets: readonly AggregateBucket[],
  page: PageRequest,
): Promise<readonly AggregateBucket[] | undefined> {
  const { fill, fields = [] } = page.query;
  if (fill === 'none' || page.request.functions.length === 0) return buckets;
  const byName = Map.groupBy(buckets, ({ group }) => group);
  const results = await pMap(
    page.request.groups,
    async (group) => {
      const own = byName.get(group.name) ?? [];
      return filledGroup(source, own, { ...page, group, fill, fields });
    },
    { concurrency: maxConcurrentGroups },
  );
  if (results.includes(undefined)) return undefined;
  const places = new Map(buckets.map((bucket, index) => [placeOf(bucket), index]));
  const placeAt = (bucket: AggregateBucket) =>
    invariant(places.get(placeOf(bucket)), 'a filled bucket is one of the page');
  const all = results.filter((own) => own !== undefined).flat();
  return all.sort((a, b) => placeAt(a) - placeAt(b));
}

function placeOf({ group, from }: AggregateBucket): string {
  return `${from} ${group ?? ''}`;
}

interface FilledGroupRequest extends PageRequest {
  group: PeriodGroup;
  fill: Exclude<Fill, 'none'>;
  fields: readonly string[];
}

async function filledGroup(
  source: AggregateSource,
  buckets: readonly AggregateBucket[],
  page: FilledGroupRequest,
): Promise<AggregateBucket[] | undefined> {
  const { request, where, fill, fields } = page;
  const { functions } = request;
  const [first, last] = [buckets[0], buckets.at(-1)];
  let [before, after]: [Neighbours | undefined, Neighbours | undefined] = [new Map(), new Map()];
  if (first !== undefined && last !== undefined && needsNeighbours(fill, functions)) {
    const begin = fill === 'previous' ? nearStart(where.from) : where.from;
    const earlier = { from: begin, to: first.from };
    before = await neighboursOf(
      source,
      neighboursRequest(page, first, { within: earlier, side: 'before' }),
    );
    if (before !== undefined && fill === 'linear') {
      const later = { from: last.to, to: where.to };
      after = await neighboursOf(
        source,
        neighboursRequest(page, last, { within: later, side: 'after' }),
      );
    }
  }
  if (before === undefined || after === undefined) return undefined;
  return request.work.run(filled(buckets, { fill, fields, functions, before, after }));
}

/** The neighbours of the fields that a bucket at the edge of the page lacks. */
function neighboursRequest(
  { request, query, where, group, fields }: FilledGroupRequest,
  edge: AggregateBucket,
  search: Pick<NeighboursRequest, 'within' | 'side'>,
): NeighboursRequest {
  const { timeZone, weekStart } = query;
  const range = { ...where, every: widthOf(query, where), timeZone, weekStart };
  return {
    ...request,
    ...search,
    group,
    names: fields.filter((name) => !edge.reported.has(name)),
    // A bucket before the range ends where the range begins.
    bucketAt: (time) =>
      bucketAt(
        time,
        time < where.from ? { ...range, from: earliestInstant, to: where.from } : range,
      ),
  };
}
