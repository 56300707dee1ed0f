import { setTimeout as sleep } from 'node:timers/promises';
import { resolveAddresses } from '@engawa/http';
import { ProcessFeeds, targetOf } from './process-feeds.ts';
import type { ResolveHost } from '@engawa/http';
import type { ProcessFeedsOptions, Target } from './process-feeds.ts';

/** Milliseconds until the host names are resolved again, to find new replicas. */
const resolveMs = 10_000;

export interface MergedFeedOptions extends ProcessFeedsOptions {
  /** URLs of the APIs of ingestion; each host may have several addresses. */
  urls: readonly string[];
  resolveHost: ResolveHost;
  /** Milliseconds until the host names are resolved again, and rejected requests repeated. */
  intervalMs?: number | undefined;
}

/** Reads the feeds of all ingestion processes until `signal` aborts; new addresses are found while it runs. */
export async function readMergedFeed(options: MergedFeedOptions): Promise<void> {
  const { urls, signal, resolveHost, intervalMs = resolveMs } = options;
  const feeds = new ProcessFeeds(options);
  while (!signal.aborted) {
    const found = await addressesOf(urls, resolveHost, signal);
    // A failed lookup is no reason to end feeds that work.
    if (found !== undefined) feeds.follow(found);
    await sleep(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** undefined where a host name cannot be resolved. */
async function addressesOf(
  urls: readonly string[],
  resolveHost: ResolveHost,
  signal: AbortSignal,
): Promise<Target[] | undefined> {
  const lists = await Promise.allSettled(
    urls.map(async (url) =>
      (await resolveAddresses(url, resolveHost, signal)).map((address) => targetOf(url, address)),
    ),
  );
  if (lists.some(({ status }) => status === 'rejected')) return undefined;
  return lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
}
