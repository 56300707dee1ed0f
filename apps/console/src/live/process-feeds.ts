import { feedName } from './feed-position.ts';
import { FeedRefused, readProcessFeed } from './process-feed.ts';
import type { OutgoingHttpHeaders } from 'node:http';
import type { StreamEvent } from '../event-stream.ts';
import type { FeedPosition } from './feed-position.ts';

/** An ingestion process: one address of a URL's host. */
export interface Target {
  name: string;
  url: string;
  address: string;
}

export function targetOf(url: string, address: string): Target {
  return { name: feedName(url, address), url, address };
}

interface Running {
  closed: AbortController;
  state: 'connecting' | 'open' | FeedRefused;
}

export interface ProcessFeedsOptions {
  /** The query of the feed, with its question mark; empty for all readings. */
  query: string;
  headers: OutgoingHttpHeaders;
  position: FeedPosition;
  /** Called when the first process opens its feed, and when the number of open feeds changes afterwards. */
  onOpen: (feeds: { open: number; all: number }) => void;
  /** Called with composite ids. */
  onEvent: (event: StreamEvent) => Promise<void> | undefined;
  /** Called with a composite id that is new without an event. */
  onId: (id: string) => Promise<void> | undefined;
  /** All processes have rejected the request. */
  onRefused: (refused: FeedRefused) => void;
  signal: AbortSignal;
}

/**
 * The feeds of all ingestion processes. During an update, some processes have a version without the feed (404): such a
 * process is asked again whenever the host names are resolved, while the feeds of the others go on.
 */
export class ProcessFeeds {
  readonly #options: ProcessFeedsOptions;
  readonly #running = new Map<string, Running>();
  readonly #isResumed: boolean;
  #hasOpened = false;

  constructor(options: ProcessFeedsOptions) {
    this.#options = options;
    this.#isResumed = options.position.toString() !== '';
  }

  /** Opens the feeds of new processes, repeats rejected requests, and closes the feeds of former processes. */
  follow(targets: readonly Target[]): void {
    const names = new Set(targets.map(({ name }) => name));
    this.#options.position.keepOnly(names);
    for (const [name, { closed }] of this.#running) {
      if (names.has(name)) continue;
      closed.abort();
      this.#running.delete(name);
    }
    for (const target of targets) {
      const known = this.#running.get(target.name);
      if (known === undefined || known.state instanceof FeedRefused) this.#start(target);
    }
    this.#report();
  }

  #start({ name, url, address }: Target): void {
    const { query, headers, position, onEvent, onId, signal } = this.#options;
    const running: Running = { closed: new AbortController(), state: 'connecting' };
    this.#running.set(name, running);
    const change = (state: Running['state']): void => {
      running.state = state;
      if (this.#running.get(name) === running) this.#report();
    };
    void readProcessFeed({
      url: new URL(`${url.replace(/\/+$/, '')}/v1/live${query}`),
      address,
      headers,
      lastEventId: () => position.get(name),
      onOpen: () => change('open'),
      onInterrupted: () => change('connecting'),
      onEvent: (event) => {
        if (event.id !== '') position.set(name, event.id);
        return onEvent({ ...event, id: position.toString() });
      },
      onId: (id) => {
        if (position.get(name) === id) return undefined;
        position.set(name, id);
        return onId(position.toString());
      },
      isLate: this.#isResumed || this.#hasOpened,
      signal: AbortSignal.any([signal, running.closed.signal]),
    }).catch((error: unknown) => {
      if (!(error instanceof FeedRefused)) throw error;
      change(error);
    });
  }

  #report(): void {
    if (this.#options.signal.aborted) return;
    const states = [...this.#running.values()].map(({ state }) => state);
    const refused = states.filter((state) => state instanceof FeedRefused);
    const open = states.filter((state) => state === 'open').length;
    if (open > 0) this.#hasOpened = true;
    if (refused.length > 0 && refused.length === states.length) {
      // What a newer version says of the token tells more than an older version's 404.
      const [first] = refused.toSorted((one, other) => one.status - other.status);
      if (first !== undefined) this.#options.onRefused(first);
    } else if (this.#hasOpened) {
      this.#options.onOpen({ open, all: states.length });
    }
  }
}
