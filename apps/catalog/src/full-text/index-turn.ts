/** Whether it is this replica that keeps the index up, and what is known of it. */
export type Turn =
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

export interface IndexTurn {
  take(signal: AbortSignal): Promise<Turn>;
  /** Tells the others, and keeps the turn. */
  note(state: IndexState): Promise<void>;
  /** Lets another one have it. */
  end(): Promise<void>;
}

/** Of an index that each replica has for itself. */
export const alwaysMine: IndexTurn = {
  take: () => Promise.resolve({ mine: true }),
  note: () => Promise.resolve(),
  end: () => Promise.resolve(),
};
