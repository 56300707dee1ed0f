import { execFileSync } from 'node:child_process';
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

const workspace = resolve(import.meta.dirname, '../../..');

/** The image's folder /app outside of an image, with the packages of the repository. */
export interface LocalImage {
  folder: string;
  /** Command line of a process of the image. */
  command: (...args: string[]) => [string, ...string[]];
  /** The image's environment variables, except for HOST. */
  environment: Record<string, string>;
  remove: () => void;
}

/** Builds the image's files in a temporary folder. @param options.compiled whether to fill Node's compile cache */
export function buildLocalImage({ compiled = false } = {}): LocalImage {
  const built = mkdtempSync(join(tmpdir(), 'engawa-image-'));
  const folder = join(built, 'sources');
  const quiet = '--disable-warning=ExperimentalWarning';
  execFileSync(process.execPath, [quiet, join(workspace, 'tools/image/src/build.ts'), built]);
  cpSync(join(built, 'manifests'), folder, { recursive: true });
  linkPackages(folder);
  const environment: Record<string, string> = { NODE_ENV: 'production' };
  if (compiled) {
    environment['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
    execFileSync(process.execPath, [join(folder, 'compile-ahead.js')], {
      env: { ...process.env, ...environment },
    });
  }
  return {
    folder,
    command: (...args) => [process.execPath, join(folder, 'entrypoint.js'), ...args],
    environment,
    remove: () => rmSync(built, { recursive: true }),
  };
}

function linkPackages(folder: string): void {
  const [from, to] = [join(workspace, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(to, '@engawa'), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== '@engawa') symlinkSync(join(from, name), join(to, name));
  }
  for (const project of globSync('{apps,libs,tools}/*', { cwd: folder })) {
    symlinkSync(join(folder, project), join(to, '@engawa', basename(project)));
  }
}
