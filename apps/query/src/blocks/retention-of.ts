import { newestOf } from '@engawa/model';
import type { ProjectedBlock } from '@engawa/model';

/** Retention of a block's newest reading in milliseconds; Infinity without expiry. */
export function retentionOf(block: ProjectedBlock): number {
  return block.ttl === undefined ? Infinity : block.ttl * 1000 - newestOf(block);
}
