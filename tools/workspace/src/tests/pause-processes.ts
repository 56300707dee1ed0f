import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds for which a process is paused, at most: what a process of a busy machine may wait for a core. */
const maxPauseMs = 1200;
/** Milliseconds between two pauses, at most. */
const maxGapMs = 600;

interface Process {
  id: number;
  parent: number;
  /** As ps shows it: T is stopped, Z has ended. */
  state: string;
}

/**
 * Pauses descendants of a process at random, one at a time, as a busy machine does: a test that depends on time fails.
 * Processes that are stopped already, as tests do on purpose, are left alone.
 * Reads /proc, which only Linux has.
 * @returns the number of pauses, once the signal aborts
 */
export async function pauseProcesses(root: number, signal: AbortSignal): Promise<number> {
  let pauses = 0;
  let paused: number | undefined;
  const goOn = (): void => {
    if (paused !== undefined) send(paused, 'SIGCONT');
    paused = undefined;
  };
  // An interrupted run must not leave a stopped process behind.
  process.once('exit', goOn);
  while (!signal.aborted) {
    const running = descendants(root).filter(({ state }) => !['T', 'Z'].includes(state));
    const chosen = running[Math.floor(Math.random() * running.length)];
    if (chosen !== undefined && send(chosen.id, 'SIGSTOP')) {
      pauses += 1;
      paused = chosen.id;
      await wait(Math.random() * maxPauseMs, signal);
      goOn();
    }
    await wait(Math.random() * maxGapMs, signal);
  }
  process.removeListener('exit', goOn);
  return pauses;
}

function descendants(root: number): Process[] {
  const all = Map.groupBy(processes(), ({ parent }) => parent);
  const below = (id: number): Process[] =>
    (all.get(id) ?? []).flatMap((child) => [child, ...below(child.id)]);
  return below(root);
}

function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name of the program is in parentheses, and may contain any character.
      const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [{ id: Number(name), parent: Number(parent), state }];
    } catch {
      return []; // it has ended
    }
  });
}

/** @returns false if the process has ended */
function send(id: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(id, signal);
  } catch {
    return false;
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
