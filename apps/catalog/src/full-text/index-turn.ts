/** Whether it is this replica that keeps the index up, and what is known of it. */
export type LeaseState =
  | {
      mine: true;
      /** All changes of before then are in the index already (epoch milliseconds). */
      asOf?: number | undefined;
      /** Another one had begun to make it anew, and has not brought that to its end. */
      rebuilding?: boolean | undefined;
    }
  | { mine: false; asOf?: number | undefined };

export interface IndexState {
  asOf: number | undefined;
  rebuilding: boolean;
}

export interface IndexLease {
  acquire(signal: AbortSignal): Promise<LeaseState>;
  /** Tells the others, and keeps the turn. */
  renew(state: IndexState): Promise<void>;
  /** Lets another one have it. */
  release(): Promise<void>;
}

/** Of an index that each replica has for itself. */
export const unsharedLease: IndexLease = {
  acquire: () => Promise.resolve({ mine: true }),
  renew: () => Promise.resolve(),
  release: () => Promise.resolve(),
};
