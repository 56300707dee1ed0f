import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '@engawa/service';
import { compiledCode, openDynamoDb, OtlpCollector } from '@engawa/testing';
import * as tableCommand from '../src/table-command/start.ts';
import { connect } from './table-fixture.ts';
import type { TestDynamoDb } from '@engawa/testing';

const main = join(__dirname, '../src/table-command/main.ts');
let engine: TestDynamoDb;

beforeAll(async () => void (engine = await openDynamoDb()));
afterAll(() => engine.close());

/** Runs the command, and gives what it logged. */
async function run(environment: Record<string, string>): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const task = await startService({
    name: 'table',
    module: tableCommand,
    environment: { DYNAMODB_ENDPOINT: engine.endpoint, ...environment },
    logDestination: { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  await task.close();
  return lines.filter(({ msg }) => msg !== 'started');
}

/** The command as a process, in an environment that has nothing else. */
function runProcess(environment: Record<string, string>) {
  const { status, stdout } = spawnSync(process.execPath, [main], {
    env: { AWS_EC2_METADATA_DISABLED: 'true', HOME: '/nowhere', ...compiledCode(), ...environment },
    encoding: 'utf8',
  });
  const lines = stdout.trim().split('\n');
  return { status, last: JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> };
}

it('creates the table that the services use, and is idempotent', async () => {
  const homes = engine.tableNamed('homes');
  const environment = { TABLE_NAME: homes };
  expect(await run(environment)).toMatchObject([
    { msg: 'creating the table', table: homes, billing: { mode: 'on-demand' } },
    { msg: 'enabling TTL', table: homes },
    { msg: 'table created', table: homes, outcome: 'created' },
  ]);
  expect(await run(environment)).toMatchObject([
    { msg: 'table is complete already', outcome: 'present' },
  ]);

  const { table } = connect(homes, engine.endpoint);
  try {
    await table.waitUntilReady(new AbortController().signal);
  } finally {
    table.close();
  }
});

it('creates a provisioned table with the given units', async () => {
  const TABLE_NAME = engine.tableNamed('provisioned');
  const environment = {
    TABLE_NAME,
    TABLE_BILLING: 'provisioned',
    TABLE_READ_UNITS: '20',
    TABLE_WRITE_UNITS: '10',
  };
  const [first] = await run(environment);
  expect(first).toMatchObject({ billing: { mode: 'provisioned', readUnits: 20, writeUnits: 10 } });
  // Another time with another wish: what is there stays.
  expect(await run({ TABLE_NAME })).toMatchObject([
    {
      msg: 'the billing mode of the table differs from the configured one; it stays unchanged',
      found: { mode: 'provisioned', readUnits: 20, writeUnits: 10 },
    },
    { outcome: 'present' },
  ]);
});

it.each([
  [{ TABLE_BILLING: 'provisioned', TABLE_READ_UNITS: '20' }, 'TABLE_BILLING is provisioned: '],
  [{ TABLE_WRITE_UNITS: '10' }, 'TABLE_BILLING is on-demand, which has no units: '],
  [{ TABLE_BILLING: 'free' }, 'it must be one of on-demand, provisioned'],
  [{ TABLE_READ_UNITS: '0' }, 'it must be a whole number, at least 1'],
])('refuses %o', async (environment, sentence) => {
  await expect(run({ TABLE_NAME: 'refused', ...environment })).rejects.toThrow(sentence);
});

it('ends with 0 as a process', () => {
  const { status, last } = runProcess({
    DYNAMODB_ENDPOINT: engine.endpoint,
    TABLE_NAME: engine.tableNamed('alone'),
  });
  expect({ status, last }).toMatchObject({ status: 0, last: { msg: 'closed' } });
});

it('ends with 0 where the collector of its traces answers 404', async () => {
  const collector = new OtlpCollector((_request, response) => response.writeHead(404).end());
  const OTEL_EXPORTER_OTLP_ENDPOINT = await collector.listen();
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [main], {
      env: {
        ...compiledCode(),
        DYNAMODB_ENDPOINT: engine.endpoint,
        TABLE_NAME: engine.tableNamed('traced'),
        OTEL_EXPORTER_OTLP_ENDPOINT,
      },
    });
    expect(stdout).toContain('the last spans could not be sent: Not Found');
  } finally {
    await collector.close();
  }
});

it.each([
  [{}, 'AWS_REGION is not set, and no AWS profile names a region'],
  [{ AWS_REGION: 'eu-west-1' }, 'no AWS credentials found'],
])('exits with 1 and a message for %o', (environment, sentence) => {
  expect(runProcess(environment)).toMatchObject({
    status: 1,
    last: { level: 'fatal', msg: sentence },
  });
});

it('names the endpoint that does not answer', () => {
  const { status, last } = runProcess({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' });
  const msg = 'table engawa cannot be reached at http://127.0.0.1:9: connection refused';
  expect({ status, last }).toMatchObject({ status: 1, last: { level: 'fatal', msg } });
});
