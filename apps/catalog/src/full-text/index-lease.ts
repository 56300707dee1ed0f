/** Whether this replica updates the index, and the state of the index. */
export type LeaseState =
  | {
      isHeld: true;
      /** The index has all changes up to this time (epoch milliseconds). */
      asOf?: number | undefined;
      /** Another replica has started a rebuild and not completed it. */
      rebuilding?: boolean | undefined;
    }
  | { isHeld: false; asOf?: number | undefined };

export interface IndexState {
  asOf: number | undefined;
  rebuilding: boolean;
}

export interface IndexLease {
  acquire(signal: AbortSignal): Promise<LeaseState>;
  /** Publishes the state and renews the lease. */
  renew(state: IndexState): Promise<void>;
  /** Releases the lease to another replica. */
  release(): Promise<void>;
}

/** For an index of a single replica, which needs no lease. */
export const unsharedLease: IndexLease = {
  acquire: () => Promise.resolve({ isHeld: true }),
  renew: () => Promise.resolve(),
  release: () => Promise.resolve(),
};
