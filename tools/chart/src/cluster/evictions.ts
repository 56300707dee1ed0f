import { setTimeout as sleep } from 'node:timers/promises';
import type { Commands } from './commands.ts';
import { CommandFailure } from './commands.ts';
import { releaseName } from './release.ts';

/** Maximum milliseconds until the disruption budgets allow an eviction. */
const timeoutMs = 180_000;

interface PodList {
  items: { metadata: { name: string; uid: string } }[];
}

/**
 * Evicts every pod of the four services as `kubectl drain` does for a node: all at once, with
 * retries when a disruption budget rejects an eviction. The node itself is not changed, since it is
 * not the test's own.
 * @returns how often a budget has rejected an eviction
 */
export async function evictServices(commands: Commands): Promise<number> {
  const services = 'app.kubernetes.io/component in (ingestion,registry,query,catalog)';
  const selector = `--selector=app.kubernetes.io/instance=${releaseName},${services}`;
  const listing = await commands.kubectl(['get', 'pods', selector, '--output=json']);
  const { items } = JSON.parse(listing) as PodList;
  const refused = await Promise.all(items.map(({ metadata }) => evict(commands, metadata)));
  return refused.reduce((sum, count) => sum + count, 0);
}

async function evict(
  commands: Commands,
  { name, uid }: { name: string; uid: string },
): Promise<number> {
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace: commands.namespace },
    // The next pod of a StatefulSet has the same name.
    deleteOptions: { preconditions: { uid } },
  };
  const path = `/api/v1/namespaces/${commands.namespace}/pods/${name}/eviction`;
  const deadline = Date.now() + timeoutMs;
  for (let refused = 0; ; refused += 1) {
    try {
      await commands.kubectl(['create', '--raw', path, '--filename=-'], JSON.stringify(eviction));
      return refused;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      // The pod has already ended, such as one of the previous rollout; a conflict means that a new
      // pod has its name.
      if (/\((NotFound|Conflict)\)/.test(error.message)) return refused;
      if (!error.message.includes('disruption budget') || Date.now() > deadline) throw error;
    }
    await sleep(1000);
  }
}
