import { setTimeout as after } from 'node:timers/promises';
import { describeProblem } from './describe-problem.ts';

export interface NameDevicesOptions {
  /** Where the registry answers, such as `http://127.0.0.1:4002`. */
  registryUrl: string;
  devices: readonly { id: string; name: string }[];
  signal: AbortSignal;
  print: (line: string) => void;
  /** How long to wait before looking again, at first; grows to half a minute. */
  retryMilliseconds?: number;
}

type Outcome = 'done' | 'later';
const requestMilliseconds = 5000;
const longestPauseMilliseconds = 30_000;

async function readName(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  return typeof body === 'object' && body !== null && 'name' in body ? body.name : undefined;
}

/** Names one device that still goes by its id: who renamed one keeps the name. */
async function nameDevice(
  { id, name }: { id: string; name: string },
  { registryUrl, signal, print }: NameDevicesOptions,
): Promise<Outcome> {
  const url = new URL(`/v1/devices/${encodeURIComponent(id)}`, registryUrl);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(requestMilliseconds)]);
  const known = await fetch(url, { signal: deadline });
  if (known.ok && (await readName(known)) !== id) return 'done';
  const answer = known.ok
    ? await fetch(url, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
        signal: deadline,
      })
    : known;
  await answer.body?.cancel();
  if (answer.ok) return 'done';
  // Not registered yet, too much at once, or not ready: all of it passes.
  if ([404, 409, 412, 429].includes(answer.status) || answer.status >= 500) return 'later';
  print(`the registry would not name ${id} (HTTP ${answer.status})`);
  return 'done';
}

/**
 * Gives the devices their names through the registry, each as soon as it is registered. Resolves when all
 * have been named or refused; rejects when the signal aborts.
 */
export async function nameDevices(options: NameDevicesOptions): Promise<void> {
  const { signal, print, retryMilliseconds = 1000 } = options;
  let pause = retryMilliseconds;
  let waiting = options.devices;
  let lastProblem = '';
  for (;;) {
    const next: { id: string; name: string }[] = [];
    for (const device of waiting) {
      try {
        if ((await nameDevice(device, options)) === 'later') next.push(device);
        lastProblem = '';
      } catch (error) {
        signal.throwIfAborted();
        const problem = error instanceof Error ? describeProblem(error) : String(error);
        if (problem !== lastProblem) print(`registry at ${options.registryUrl}: ${problem}`);
        lastProblem = problem;
        next.push(device);
      }
    }
    waiting = next;
    if (waiting.length === 0) return;
    await after(pause, undefined, { signal });
    // A door may not be opened, and so not registered, for hours.
    pause = Math.min(1.5 * pause, longestPauseMilliseconds);
  }
}
