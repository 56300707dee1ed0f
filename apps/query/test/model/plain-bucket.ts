import type { BucketRange } from './oracle-increase.ts';
import type { PlainStates } from './oracle-states.ts';

/** A bucket as the response must have it. */
export interface PlainBucket extends BucketRange {
  group: string | undefined;
  localFrom: string;
  /** By field and function, numbers as `spelled` gives them, the average as its double. */
  fields: Record<string, Record<string, string | null>>;
  /** Fields with a reading in it. */
  reported: ReadonlySet<string>;
  /** By field: the mean of the last values of the devices, as its double. */
  kept: ReadonlyMap<string, string>;
  /** Whether it may be marked as incomplete. */
  mayBeIncomplete: boolean;
  /** By field, of all requested ones. */
  states: ReadonlyMap<string, PlainStates>;
  /** Whether the states of an unmarked bucket are known: of several devices, only if nothing may have expired. */
  areStatesKnown: boolean;
}

export type BucketContent = Pick<PlainBucket, 'fields' | 'reported' | 'kept'>;
