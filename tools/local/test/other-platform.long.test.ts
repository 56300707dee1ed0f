import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findEngine, startNpmRegistry } from '@engawa/embedded';
import { LocalProcess } from './local-process.ts';
import type { NpmRegistry } from '@engawa/embedded';

const preload = join(__dirname, 'fixtures/pretend-platform.mjs');
/** Neither the lock file nor any registry has its engine. */
const name = `@dynoxide/${process.platform}-riscv64`;
const lockFile = resolve(__dirname, '../../../package-lock.json');
const lock = readFileSync(lockFile, 'utf8');
const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string }> };
const version = packages['node_modules/@dynoxide/linux-x64']?.version ?? '';

let folder: string;
let registry: NpmRegistry;
const started: LocalProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engawa-engine-'));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((local) => local.ended('SIGTERM')));
  await registry.close();
  rmSync(folder, { recursive: true });
});

/** `npm start` on the pretended platform. */
async function start(args: string[] = []): Promise<LocalProcess> {
  const local = await LocalProcess.start(
    {
      ...(registry.environment as Record<string, string>),
      NODE_OPTIONS: `--import=${preload}`,
      ENGINE_FOLDER: folder,
    },
    args,
  );
  started.push(local);
  return local;
}

/** A registry with the engine of this machine, as the package of the pretended platform. */
async function startRegistry(beforeDownload?: () => Promise<void>): Promise<void> {
  const content = readFileSync(await findEngine());
  const executable = { name: 'dynoxide', content };
  registry = await startNpmRegistry([{ name, version, executable }], beforeDownload);
}

describe('npm start on a platform without an engine in the lock file', () => {
  it('installs the engine once, and starts without a registry afterwards', async () => {
    await startRegistry();
    const first = await start(['--no-simulator']);
    await first.printed('Ctrl-C stops everything');
    expect(first.output).toContain(`(npm package ${name} ${version}) into ${folder}`);
    expect(await first.ended('SIGINT')).toBe(0);
    await registry.close();

    const second = await start(['--no-simulator']);
    await second.printed('Ctrl-C stops everything');
    expect(second.output).not.toContain('npm package');
    expect(await second.ended('SIGINT')).toBe(0);
    expect(readdirSync(folder)).toEqual([`${process.platform}-riscv64-${version}`]);
    expect(readFileSync(lockFile, 'utf8')).toBe(lock);
  });

  it('prints commands for another DynamoDB API if the registry does not have it', async () => {
    registry = await startNpmRegistry([]);
    const local = await start();
    expect(await local.ended()).toBe(1);
    expect(local.output).toContain(
      `cannot be installed into ${folder}: the npm registry does not have this package`,
    );
    expect(local.output).toMatch(/^  docker run /m);
    expect(local.output).toMatch(/^  java /m);
    expect(local.output).toMatch(/^  DYNAMODB_ENDPOINT=\S+ npm start$/m);
    expect(local.output).not.toContain('    at ');
  });

  it('stops at Ctrl-C during the installation', async () => {
    const downloading = Promise.withResolvers<undefined>();
    await startRegistry(() => {
      downloading.resolve(undefined);
      return new Promise(() => undefined);
    });
    const local = await start();
    await downloading.promise;
    expect(await local.ended('SIGINT')).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });
});
