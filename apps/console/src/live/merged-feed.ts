import { setTimeout as sleep } from 'node:timers/promises';
import { resolveAddresses } from '@engawa/http';
import { feedName } from './feed-position.ts';
import { FeedRefused, readProcessFeed } from './process-feed.ts';
import type { OutgoingHttpHeaders } from 'node:http';
import type { ResolveHost } from '@engawa/http';
import type { StreamEvent } from '../event-stream.ts';
import type { FeedPosition } from './feed-position.ts';

/** Milliseconds until the host names are resolved again, to find new replicas. */
const resolveMs = 10_000;

export interface MergedFeedOptions {
  /** URLs of the APIs of ingestion; each host may have several addresses. */
  urls: readonly string[];
  /** The query of the feed, with its question mark; empty for all readings. */
  query: string;
  headers: OutgoingHttpHeaders;
  position: FeedPosition;
  resolveHost: ResolveHost;
  onOpen: () => void;
  /** Called with composite ids. */
  onEvent: (event: StreamEvent) => Promise<void> | undefined;
  onRefused: (refused: FeedRefused) => void;
  signal: AbortSignal;
}

/** Reads the feeds of all ingestion processes until `signal` aborts; new addresses are found while it runs. */
export async function readMergedFeed(options: MergedFeedOptions): Promise<void> {
  const { urls, signal, position, resolveHost } = options;
  const running = new Map<string, AbortController>();
  while (!signal.aborted) {
    const found = await addressesOf(urls, resolveHost, signal);
    // A failed lookup is no reason to end feeds that work.
    if (found !== undefined) {
      const names = new Set(found.map(({ name }) => name));
      position.keepOnly(names);
      for (const [name, controller] of running) if (!names.has(name)) controller.abort();
      for (const target of found) if (!running.has(target.name)) start(target, options, running);
    }
    await sleep(resolveMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

interface Target {
  name: string;
  url: string;
  address: string;
}

/** undefined where no host name can be resolved. */
async function addressesOf(
  urls: readonly string[],
  resolveHost: ResolveHost,
  signal: AbortSignal,
): Promise<Target[] | undefined> {
  const lists = await Promise.allSettled(
    urls.map(async (url) =>
      (await resolveAddresses(url, resolveHost, signal)).map((address) => ({
        name: feedName(url, address),
        url,
        address,
      })),
    ),
  );
  if (lists.some(({ status }) => status === 'rejected')) return undefined;
  return lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
}

function start(
  target: Target,
  options: MergedFeedOptions,
  running: Map<string, AbortController>,
): void {
  const { position, query, onEvent, onRefused, signal } = options;
  const { name, url, address } = target;
  const own = new AbortController();
  running.set(name, own);
  void readProcessFeed({
    ...options,
    url: new URL(`${url.replace(/\/+$/, '')}/v1/live${query}`),
    address,
    lastEventId: () => position.get(name),
    onEvent: (event) => {
      if (event.id !== '') position.set(name, event.id);
      return onEvent({ ...event, id: position.toString() });
    },
    signal: AbortSignal.any([signal, own.signal]),
  })
    .catch((error: unknown) => {
      if (error instanceof FeedRefused) onRefused(error);
      else throw error;
    })
    .finally(() => running.delete(name));
}
