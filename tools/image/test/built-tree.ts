import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { tiedToParent } from '@engawa/embedded';
import { ListeningPorts, until } from '@engawa/testing';

export const workspace = resolve(__dirname, '../../..');

/** A temporary folder with what the image has in /app, its packages being those of the repository. */
export function builtTree(): { folder: string; remove: () => void } {
  const built = mkdtempSync(join(tmpdir(), 'engawa-image-'));
  const folder = join(built, 'sources');
  const quiet = '--disable-warning=ExperimentalWarning';
  execFileSync(process.execPath, [quiet, join(workspace, 'tools/image/src/build.ts'), built]);
  cpSync(join(built, 'manifests'), folder, { recursive: true });

  const [from, to] = [join(workspace, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(to, '@engawa'), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== '@engawa') symlinkSync(join(from, name), join(to, name));
  }
  for (const project of globSync('{apps,libs,tools}/*', { cwd: folder })) {
    symlinkSync(join(folder, project), join(to, '@engawa', basename(project)));
  }
  return { folder, remove: () => rmSync(built, { recursive: true }) };
}

export interface BuiltProcess {
  /** What it logged, oldest first. */
  logged: Record<string, unknown>[];
  ports: ListeningPorts;
  pid: number;
  /** With how many it ended. */
  ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Runs the entry point of a tree, with no more of an environment than is given. */
export function runBuilt(
  folder: string,
  args: string[],
  environment: Record<string, string>,
): BuiltProcess {
  const line = [process.execPath, join(folder, 'entrypoint.js'), ...args] as const;
  const tied = tiedToParent('KILL', line);
  const child = spawn(tied.command, tied.args, {
    cwd: '/',
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [logged, ports]: [Record<string, unknown>[], ListeningPorts] = [[], new ListeningPorts()];
  const read = (text: string): void => {
    const isJson = text.startsWith('{');
    logged.push(isJson ? (JSON.parse(text) as Record<string, unknown>) : { msg: text });
    if (isJson) ports.write(text);
  };
  createInterface(child.stdout).on('line', read);
  createInterface(child.stderr).on('line', read);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { logged, ports, pid: child.pid ?? 0, ended, kill: (signal) => void child.kill(signal) };
}

/** Waits until a service has said that it is ready. */
export async function untilReady(what: string, url: () => string): Promise<void> {
  await until(`${what} to be ready`, async () => {
    try {
      return (await fetch(`${url()}/readyz`)).ok;
    } catch {
      return false;
    }
  });
}
