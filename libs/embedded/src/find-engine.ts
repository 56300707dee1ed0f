import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { enginePackage } from './engine-package.ts';
import { installEngine } from './install-engine.ts';
import { workspace } from './service-process.ts';
import type { InstallOptions } from './install-engine.ts';

export interface EngineOptions extends Partial<InstallOptions> {
  /** `<process.platform>-<process.arch>` of the machine that runs the engine; this machine by default. */
  platform?: string;
}

/**
 * Path of the executable of the embedded DynamoDB API: from node_modules if the lock file has the package of the
 * platform, otherwise from the engine folder, into which the first call installs the package. The engine folder is
 * `.engine` of the workspace by default: `npm ci` does not delete it, and nothing is left outside of the checkout.
 * @throws EngineUnavailable if the package cannot be installed
 * @throws the reason of `signal` if it is aborted meanwhile
 */
export async function findEngine(options: EngineOptions = {}): Promise<string> {
  const { platform = `${process.platform}-${process.arch}`, signal } = options;
  const engine = enginePackage(platform);
  try {
    const manifest = createRequire(import.meta.url).resolve(`${engine.name}/package.json`);
    return join(dirname(manifest), engine.executable);
  } catch {
    const { folder = join(workspace, '.engine'), environment = process.env } = options;
    const { report = printError } = options;
    return installEngine(engine, { folder, environment, report, ...(signal && { signal }) });
  }
}

/** Standard output may be the result of a command. */
const printError = (line: string): void => void process.stderr.write(`${line}\n`);
