import { setTimeout as sleep } from 'node:timers/promises';
import type { Commands } from './commands.ts';

/** Maximum milliseconds for the end of pods after an uninstall. */
const timeoutMs = 120_000;

/**
 * Waits until no namespaced object of a release is left.
 * @throws Error that names the remaining objects
 */
export async function untilUninstalled(commands: Commands, release: string): Promise<void> {
  const listing = await commands.kubectl([
    'api-resources',
    '--namespaced',
    '--verbs=list',
    '--output=name',
  ]);
  // Events are history, and expire.
  const kinds = listing.split('\n').filter((kind) => kind !== '' && !kind.startsWith('events'));
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const left = await commands.kubectl([
      'get',
      kinds.join(','),
      `--selector=app.kubernetes.io/instance=${release}`,
      '--output=name',
      '--ignore-not-found',
    ]);
    if (left.trim() === '') return;
    if (Date.now() > deadline) throw new Error(`these are left:\n${left}`);
    await sleep(2000);
  }
}
