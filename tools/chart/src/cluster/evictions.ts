import { setTimeout as sleep } from 'node:timers/promises';
import type { Commands } from './commands.ts';
import { CommandFailure } from './commands.ts';
import { releaseName } from './release.ts';

/** Milliseconds that the disruption budgets have to allow an eviction. */
const patienceMs = 180_000;

interface PodList {
  items: { metadata: { name: string; uid: string } }[];
}

/**
 * Evicts every pod of the four services, as `kubectl drain` does with those of a node: all at once,
 * and again where a disruption budget refuses. The node itself is left alone, since it is
 * somebody's.
 * @returns how often a budget has refused
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
    // A StatefulSet gives the next pod the same name.
    deleteOptions: { preconditions: { uid } },
  };
  const path = `/api/v1/namespaces/${commands.namespace}/pods/${name}/eviction`;
  const deadline = Date.now() + patienceMs;
  for (let refused = 0; ; refused += 1) {
    try {
      await commands.kubectl(['create', '--raw', path, '--filename=-'], JSON.stringify(eviction));
      return refused;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      // Gone by itself, such as a pod of the rollout before; the precondition's conflict says that
      // a new pod has its name.
      if (/\((NotFound|Conflict)\)/.test(error.message)) return refused;
      if (!error.message.includes('disruption budget') || Date.now() > deadline) throw error;
    }
    await sleep(1000);
  }
}
