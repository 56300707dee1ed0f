import { invariant } from '@engawa/errors';
import type { TimeRange } from '../time-range.ts';

const edge = 'a bucket has two edges';

/** The range of a bucket. @param edges of all buckets, ascending */
export function bucketRange(edges: readonly number[], index: number): TimeRange {
  return { from: invariant(edges[index], edge), to: invariant(edges[index + 1], edge) };
}
