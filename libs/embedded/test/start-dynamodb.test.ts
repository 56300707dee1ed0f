import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { OperatorError } from '@engawa/errors';
import { enginePackage } from '../src/engine-package.ts';
import { findEngine, isPortFree, startDynamoDb, startNpmRegistry } from '../src/index.ts';
import { waitUntil } from './wait-until.ts';
import type { DynamoDb, NpmRegistry } from '../src/index.ts';

const running: DynamoDb[] = [];
const start = async (options?: Parameters<typeof startDynamoDb>[0]) => {
  const dynamoDb = await startDynamoDb(options);
  running.push(dynamoDb);
  return dynamoDb;
};
const listTables = async (endpoint: string) => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  const { TableNames } = await client.send(new ListTablesCommand());
  client.destroy();
  return TableNames;
};
const portOf = (endpoint: string) => Number(new URL(endpoint).port);

afterEach(() => Promise.all(running.splice(0).map((dynamoDb) => dynamoDb.close())));

it('serves the DynamoDB API on a free port, and ends with close', async () => {
  const dynamoDb = await start();
  expect(await listTables(dynamoDb.endpoint)).toEqual([]);
  await dynamoDb.close();
  expect(await isPortFree(portOf(dynamoDb.endpoint))).toBe(true);
});

it('starts several at once', async () => {
  const endpoints = await Promise.all([start(), start(), start()]);
  expect(new Set(endpoints.map(({ endpoint }) => endpoint)).size).toBe(3);
});

it('keeps its data in the given file, and creates the folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  const dataFile = join(folder, 'data', 'table.db');
  const dynamoDb = await start({ dataFile });
  await dynamoDb.close();
  expect(existsSync(dataFile)).toBe(true);
  rmSync(folder, { recursive: true });
});

it('names the port that is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await isPortFree(port)).toBe(false);
  const refused = startDynamoDb({ port });
  await expect(refused).rejects.toThrow(`port ${port} on 127.0.0.1 is already in use`);
  await expect(refused).rejects.toBeInstanceOf(OperatorError);
  server.close();
});

/** Other systems cannot end a process with its parent (tied-to-parent.ts). */
const hasSetpriv = spawnSync('setpriv', ['--version']).status === 0;
const itWithSetpriv = hasSetpriv ? it : it.skip;
const skipped = hasSetpriv ? '' : ' (skipped: no setpriv on this machine)';

itWithSetpriv(`ends with a killed parent${skipped}`, async () => {
  const fixture = join(__dirname, 'fixtures', 'hold-dynamodb.ts');
  const parent = spawn(process.execPath, [fixture], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const port = portOf(line.toString());
  expect(await isPortFree(port)).toBe(false);
  parent.kill('SIGKILL');
  await waitUntil(() => isPortFree(port));
});

/** A platform whose engine is neither in the lock file nor in the engine folder. */
describe('on another platform', () => {
  const platform = 'freebsd-arm64';
  let folder: string;
  let registry: NpmRegistry | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'engine-'));
  });
  afterEach(async () => {
    await registry?.close();
    rmSync(folder, { recursive: true });
  });

  /** @param content of the executable that the registry has for the platform */
  async function startWith(content: string | Uint8Array): Promise<DynamoDb> {
    const { name, version } = enginePackage(platform);
    registry = await startNpmRegistry([
      { name, version, executable: { name: 'dynoxide', content } },
    ]);
    const { environment } = registry;
    return start({ platform, folder, environment, report: () => undefined });
  }

  it('installs the engine and starts it', async () => {
    const dynamoDb = await startWith(readFileSync(await findEngine()));
    expect(await listTables(dynamoDb.endpoint)).toEqual([]);
  });

  it('says what to do if the engine does not run on this machine', async () => {
    const refused = startWith('not a program of this machine\n');
    await expect(refused).rejects.toThrow(
      `the engine of the embedded DynamoDB API does not run on this machine: ${folder}`,
    );
    await expect(refused).rejects.toThrow(/^  DYNAMODB_ENDPOINT=\S+ npm start$/m);
  });
});
