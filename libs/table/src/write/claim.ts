import { absent, anyOf, equal, less } from '../items/expression.ts';
import type { Condition } from '../items/expression.ts';

/** Milliseconds, many times what a step of the work takes: until then a claim that is not renewed holds. */
export const claimMs = 60_000;

/** The value of an item's `claim`: one replica works on what the item describes, as long as it renews this. */
export interface Claim extends Record<string, string | number> {
  /** Names the replica. */
  by: string;
  /** Epoch milliseconds. */
  until: number;
}

export function newClaim(by: string, now: number): Claim {
  return { by, until: now + claimMs };
}

/** Nobody else has claimed it, or not renewed the claim in time. */
export function isClaimable(by: string, now: number): Condition {
  return anyOf(absent('claim'), isClaimedBy(by), less(['claim', 'until'], now));
}

export function isClaimedBy(by: string): Condition {
  return equal(['claim', 'by'], by);
}
