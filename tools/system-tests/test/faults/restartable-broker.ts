import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMosquitto } from '@engawa/testing';

export interface RestartableBroker {
  readonly port: number;
  readonly url: string;
  /** Ends it gracefully or with SIGKILL, and starts it at the same port, with the same settings and data. */
  restart(end: 'close' | 'kill', downtimeMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** A Mosquitto. @param isPersistent whether it keeps sessions and messages over a restart */
export async function startRestartableBroker(
  isPersistent: boolean,
  more: readonly string[],
): Promise<RestartableBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-persistence-'));
  const persistence = [`persistence ${isPersistent}`, `persistence_location ${folder}/`];
  const settings = ['allow_anonymous true', ...persistence, ...more];
  let running = await startMosquitto({ settings });
  const { port, url } = running;
  return {
    port,
    url,
    async restart(end, downtimeMs = 0) {
      await running[end]();
      await sleep(downtimeMs);
      running = await startMosquitto({ port, settings });
    },
    async close() {
      await running.close();
      rmSync(folder, { recursive: true });
    },
  };
}
