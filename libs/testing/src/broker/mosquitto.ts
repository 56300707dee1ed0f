import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, startProcess } from '@engawa/embedded';
import { describeWith } from '../running/describe-with.ts';

/** Tests that need a real Mosquitto. */
export function describeWithMosquitto(name: string, tests: () => void): void {
  describeWith(['mosquitto'], name, tests);
}

export interface Mosquitto {
  port: number;
  url: string;
  close(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
}

/** A real Mosquitto with its own defaults, except for a queue that does not drop a backlog. */
export async function startMosquitto(
  options: { port?: number; settings?: string[] } = {},
): Promise<Mosquitto> {
  const { port = await findFreePort(), settings = ['allow_anonymous true'] } = options;
  const folder = mkdtempSync(join(tmpdir(), 'engawa-mosquitto-'));
  const file = join(folder, 'mosquitto.conf');
  // As another user, which root becomes by default, it could not read the files of a test.
  const own = ['user root', 'max_queued_messages 0', `listener ${port} 127.0.0.1`];
  writeFileSync(file, [...own, ...settings, ''].join('\n'));
  const running = await startProcess({
    name: `mosquitto on port ${port}`,
    command: ['mosquitto', '-c', file],
    ready: { port },
  });
  const end = async (signal: NodeJS.Signals) => {
    await running.end(signal);
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    close: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}
