import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ensureTable } from '@engawa/table';
import { describeWith, OtlpCollector, startMosquitto, startTable, until } from '@engawa/testing';
import { startServiceProcess } from '../service-process.ts';

const workspace = resolve(__dirname, '../../../..');
const page = readFileSync(join(workspace, 'docs/traces.md'), 'utf8');
/** With the lines that continue it, as the page has it. */
const [command = ''] = /^mosquitto_pub (?:.*\\\n)*.*$/m.exec(page) ?? [];
const collector = new OtlpCollector();
const folder = mkdtempSync(join(tmpdir(), 'engawa-publisher-'));
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];

async function startTraced(): Promise<void> {
  const [table, broker, endpoint] = await Promise.all([
    startTable(ensureTable),
    startMosquitto(),
    collector.listen(),
  ]);
  closers.push(
    () => table.close(),
    () => broker.close(),
    () => collector.close(),
  );
  const ingestion = await startServiceProcess('ingestion', {
    ...table.environment,
    MQTT_URL: broker.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '10',
  });
  closers.push(() => ingestion.end('SIGTERM'));
  // Defaults of mosquitto_pub are made explicit; the command itself is not changed.
  writeFileSync(join(folder, 'mosquitto_pub'), `-p ${broker.port}\n`);
}

describeWith(['mosquitto', 'mosquitto_pub'], 'the command of docs/traces.md', () => {
  beforeAll(startTraced);
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  it('publishes a reading whose trace continues to the table, as documented', async () => {
    const environment = { ...process.env, XDG_CONFIG_HOME: folder };
    await promisify(execFile)('bash', ['-c', command], { env: environment });
    const [, traceId, parentSpanId] = /00-([\da-f]{32})-([\da-f]{16})-01/.exec(command) ?? [];
    const spansOf = (kind: number) =>
      collector.spans.filter((span) => span.kind === kind && span.traceId === traceId);
    await until('the span of the message', () => spansOf(5).length > 0);
    const [message] = spansOf(5);
    expect(message).toMatchObject({
      name: 'process engawa/+/readings',
      parentSpanId,
      attributes: { 'engawa.outcome': 'stored' },
    });
    const writes = () => spansOf(3).filter((span) => span.parentSpanId === message?.spanId);
    await until('its write', () => writes().length > 0);
    expect(writes()[0]?.name).toBe('DynamoDB.BatchWriteItem');
  });
});
