import { absent, anyOf, equal, less } from '../items/expression.ts';
import type { Condition } from '../items/expression.ts';

/** Validity of a claim without renewal: many times the duration of a step of the work. */
export const claimMs = 60_000;

/** The value of an item's `claim`: the replica that renews it works on the task of the item. */
export interface Claim extends Record<string, string | number> {
  /** Identifies the replica. */
  by: string;
  /** Epoch milliseconds. */
  until: number;
}

export function newClaim(by: string, now: number): Claim {
  return { by, until: now + claimMs };
}

/** No other replica has a valid claim. */
export function isClaimable(by: string, now: number): Condition {
  return anyOf(absent('claim'), isClaimedBy(by), less(['claim', 'until'], now));
}

export function isClaimedBy(by: string): Condition {
  return equal(['claim', 'by'], by);
}
