import { startBroker } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import {
  describeWithMosquitto,
  metricValue,
  openDynamoDb,
  startMosquitto,
  until,
} from '@engawa/testing';
import { Container, restricted } from './container.ts';
import { ReadingsPublisher, storedReadings } from './readings.ts';
import { describeWithImage } from './test-image.ts';
import type { Broker } from '@engawa/embedded';
import type { TestDynamoDb } from '@engawa/testing';

const services = ['ingestion', 'registry', 'query', 'catalog', 'console'];

describeWithImage('the image', (image) => {
  let engine: TestDynamoDb;
  let broker: Broker;
  let environment: Record<string, string>;
  let containers: Container[];

  beforeAll(async () => {
    engine = await openDynamoDb();
    broker = await startBroker();
    const tableName = engine.tableNamed('engawa');
    environment = {
      TABLE_NAME: tableName,
      DYNAMODB_ENDPOINT: engine.endpoint,
      MQTT_URL: broker.url,
      MQTT_VERSION: '3.1.1',
    };
    await ensureTable({ tableName, endpoint: engine.endpoint, timeoutMs: 60_000 });
  });
  afterAll(async () => {
    await broker.close();
    await engine.close();
  });
  beforeEach(() => void (containers = []));
  afterEach(async () => {
    await Promise.all(containers.map((container) => container.remove()));
  });

  async function run(
    args: string[],
    more: { options?: readonly string[]; environment?: Record<string, string> } = {},
  ): Promise<Container> {
    const { options = restricted } = more;
    const all = { ...environment, ...more.environment };
    const container = await Container.start({ image, args, environment: all, options });
    containers.push(container);
    return container;
  }

  it.each(services)(
    'runs %s without privileges and without a writable file system',
    async (service) => {
      const container = await run([service]);
      await container.untilReady();
      const status = await container.exec('cat', '/proc/1/status');
      expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
      expect(status).toMatch(/^CapEff:\t0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      const command = await container.exec('cat', '/proc/1/cmdline');
      expect(command).toBe(`node\0/app/entrypoint.js\0${service}\0`);
      expect(await container.stop()).toBe(0);
      expect(await container.logs()).toMatch(/"msg":"closed"\}\s*$/);
    },
  );

  it.each(services)(
    'runs %s as whom it names, which leaves nothing behind where it could write',
    async (service) => {
      const container = await run([service], { options: [] });
      await container.untilReady();
      expect(await container.exec('id', '-u')).toBe('1000\n');
      expect(await container.stop()).toBe(0);
      // The folder of full-text indexes, with none in it, but the file by which replicas take turns.
      const folder = '/tmp/engawa-full-text';
      const left = service === 'catalog' ? `C /tmp\nA ${folder}\nA ${folder}/turn.db\n` : '';
      expect(await container.changedFiles()).toBe(left);
    },
  );

  it('creates the table, and does not change it at the next run', async () => {
    const first = await run(['table'], {
      environment: { TABLE_NAME: engine.tableNamed('another') },
    });
    expect(await first.wait()).toBe(0);
    expect(await first.logs()).toContain('"msg":"table created"');
    const second = await run(['table'], {
      environment: { TABLE_NAME: engine.tableNamed('another') },
    });
    expect(await second.wait()).toBe(0);
    expect(await second.logs()).toContain('"msg":"table is complete already"');
  });

  it('rolls up', async () => {
    const container = await run(['rollup']);
    expect(await container.wait()).toBe(0);
  });

  it('has no sources, tests or tools of development, and compiled code that is in use', async () => {
    const container = await run(['registry']);
    await container.untilReady();
    const find = (...what: string[]) => container.exec('find', '/app', ...what);
    expect(await find('-name', '*.ts')).toBe('');
    expect(await find('-name', '*.test.*', '-not', '-path', '*/node_modules/*')).toBe('');
    const packages = await container.exec('ls', '/app/node_modules');
    expect(packages).not.toMatch(
      /^(typescript|jest|nx|aedes|esbuild-wasm|vite|rolldown|@engawa)$/m,
    );
    // Nobody but root may change what runs.
    expect(await find('-writable')).toBe('');
    const script = `const { enableCompileCache } = require('node:module');
      process.stdout.write(String(enableCompileCache().directory))`;
    const folder = await container.exec('node', '-e', script);
    expect(folder).toMatch(/^\/app\/compiled\/v24/);
    // The chunks that services load.
    expect((await container.exec('ls', folder)).split('\n').length).toBeGreaterThan(10);
  });

  it('has the manifest and licence of a bundled package, and the code of an unbundled one', async () => {
    const container = await run(['registry']);
    await container.untilReady();
    const list = (name: string) => container.exec('ls', `/app/node_modules/${name}`);
    expect((await list('express')).trim().split('\n')).toEqual([
      'LICENSE',
      'node_modules',
      'package.json',
    ]);
    expect((await list('preact')).trim().split('\n')).toEqual(['LICENSE', 'package.json']);
    expect(await list('@opentelemetry/sdk-node')).toMatch(/^build$/m);
  });

  it.each([
    [[], /^engawa: nothing cannot be run; the one argument is one of ingestion, registry, query/],
    [['--help'], /^engawa: "--help" cannot be run; /],
    [['query'], /"msg":"HOST 0\.0\.0\.0 is not a loopback address, and AUTH_MODE is not set/],
  ])('exits with 1 and a message when run with only %j', async (args, sentence) => {
    const container = await run(args, { environment: { HOST: '0.0.0.0' } });
    expect(await container.wait()).toBe(1);
    expect(await container.logs()).toMatch(sentence);
  });

  describeWithMosquitto('stopped in the middle of a stream of messages', () => {
    it('has stored all that it has acknowledged; the rest is at the broker', async () => {
      const mosquitto = await startMosquitto();
      const settings = {
        MQTT_URL: mosquitto.url,
        MQTT_VERSION: '5',
        MQTT_CLIENT_ID: 'ingestion-0',
        LINGER_MS: '0',
      };
      try {
        const ingestion = await run(['ingestion'], { environment: settings });
        await ingestion.untilReady();
        const publisher = await ReadingsPublisher.start(mosquitto.url);
        await until('the stream to flow', async () => {
          const outcome = { outcome: 'stored' };
          const name = 'engawa_ingest_messages_total';
          return (await metricValue(ingestion.metricsUrl, name, outcome)) > 300;
        });
        expect(await ingestion.stop()).toBe(0);
        await publisher.untilTaken(publisher.taken.length + 100);
        await publisher.end();

        const query = await run(['query'], { environment: { RATE_LIMIT_PER_MINUTE: '0' } });
        await query.untilReady();
        const { device, taken } = publisher;
        const before = await storedReadings(query.url, device);
        expect(before.length).toBeGreaterThanOrEqual(300);
        expect(before.length).toBeLessThan(taken.length);

        const next = await run(['ingestion'], { environment: settings });
        await next.untilReady();
        // What had been acknowledged does not come again; so all of it is there only if that was stored.
        await until('every message', async () => {
          return (await storedReadings(query.url, device)).length >= taken.length;
        });
        expect(await storedReadings(query.url, device)).toEqual(taken);
      } finally {
        await mosquitto.close();
      }
    });
  });
});
