import { setTimeout as sleep } from 'node:timers/promises';
import type { Commands } from './commands.ts';

/** Milliseconds that pods have to be gone after an uninstall. */
const timeoutMs = 120_000;

/** Waits until nothing of a release is left, of any kind that namespaces have. @throws Error that names what is */
export async function untilNothingIsLeft(commands: Commands, release: string): Promise<void> {
  const listing = await commands.kubectl([
    'api-resources',
    '--namespaced',
    '--verbs=list',
    '--output=name',
  ]);
  // Events tell of what was there, and go by themselves.
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
