import { ClientSlots } from './client-slots.ts';
import { ClientTurns } from './client-turns.ts';
import type { ResponseWork } from './client-turns.ts';

/**
 * Pages that are computed concurrently in one process: four of a single client. A page holds up to some 15 MB while it
 * is computed; others wait with next to nothing.
 */
const maxLargePages = 6;

/** The work for the responses of all clients of a process. */
export class SharedWork {
  readonly #turns = new ClientTurns();
  readonly #slots = new ClientSlots(maxLargePages);

  of(client: string, signal: AbortSignal): ClientWork {
    return {
      run: (work) => this.#turns.run(client, signal, work),
      holdPage: (work) => this.#slots.hold(client, signal, work),
    };
  }
}

/** The work for one response; its CPU counts for the share of the client. */
export interface ClientWork {
  /** Runs work in slices, between which other requests are handled. */
  run<Result>(work: ResponseWork<Result>): Promise<Result>;
  /** Computes a page that may need much memory, once the client has a slot for it. */
  holdPage<Result>(work: () => Promise<Result>): Promise<Result>;
}
