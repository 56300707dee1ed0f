import { devicePartition } from '@engawa/keys';
import { isBlockItem } from '@engawa/model';
import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import {
  describeWithMosquitto,
  OtlpCollector,
  startMosquitto,
  startTable,
  until,
} from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { IngestionChild } from './ingestion-child.ts';
import { TableProxy } from './table-proxy.ts';
import type { CollectedSpan, Mosquitto, StartedTable } from '@engawa/testing';
import type { IClientPublishOptions, MqttClient } from 'mqtt';

type UserProperties = NonNullable<IClientPublishOptions['properties']>['userProperties'];

const traceOf = (digit: string) => digit.repeat(32);
const publisherSpan = 'c'.repeat(16);
const sampled = (digit: string) => `00-${traceOf(digit)}-${publisherSpan}-01`;
/** A template of the decoders that are there by default. */
const template = 'engawa/+/readings';

describeWithMosquitto('messages of publishers that trace', () => {
  const collector = new OtlpCollector();
  let started: StartedTable;
  let broker: Mosquitto;
  let child: IngestionChild;
  let device: MqttClient;
  let environment: Record<string, string>;
  let proxy: TableProxy;

  beforeAll(async () => {
    [started, broker] = await Promise.all([startTable(ensureTable), startMosquitto()]);
    device = await connectAsync(broker.url, { protocolVersion: 5 });
    proxy = await TableProxy.start(started.location.endpoint);
    environment = {
      ...started.environment,
      DYNAMODB_ENDPOINT: proxy.endpoint,
      LINGER_MS: '300,contact=0',
      MQTT_URL: broker.url,
      MQTT_CLIENT_ID: 'ingestion-0',
      OTEL_EXPORTER_OTLP_ENDPOINT: await collector.listen(),
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    };
    child = await IngestionChild.start(environment, []);
  });
  afterAll(async () => {
    await device.endAsync();
    await child.close();
    await broker.close();
    await proxy.close();
    await started.close();
    await collector.close();
  });

  async function publish(deviceId: string, payload: string, userProperties?: UserProperties) {
    const properties = userProperties && { userProperties };
    await device.publishAsync(`engawa/${deviceId}/readings`, payload, {
      qos: 1,
      ...(properties && { properties }),
    });
  }

  /** The spans of these devices' messages, once they have come. */
  async function messagesOf(...devices: string[]): Promise<CollectedSpan[]> {
    const topics = devices.map((id) => `engawa/${id}/readings`);
    const find = () =>
      topics.map((topic) =>
        collector.spans.find(
          ({ attributes }) => attributes['messaging.destination.name'] === topic,
        ),
      );
    await until(`spans of ${devices.join()}`, () => find().every((span) => span !== undefined));
    return find() as CollectedSpan[];
  }

  const linksTo =
    ({ spanId }: CollectedSpan) =>
    (span: CollectedSpan) =>
      span.links.some((link) => link.spanId === spanId);

  it('are one trace from the publisher to the write', async () => {
    await Promise.all([
      publish('a', '{"temperature": 1}', { traceparent: sampled('a'), tracestate: 'vendor=1' }),
      publish('b', '{"temperature": 2}', { traceparent: sampled('b') }),
    ]);
    const [a, b] = (await messagesOf('a', 'b')) as [CollectedSpan, CollectedSpan];
    expect(a).toMatchObject({
      name: `process ${template}`,
      kind: 5,
      traceId: traceOf('a'),
      parentSpanId: publisherSpan,
      links: [{ traceId: traceOf('a'), spanId: publisherSpan }],
      attributes: {
        'messaging.system': 'mqtt',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.destination.name': 'engawa/a/readings',
        'messaging.destination.template': template,
        'messaging.message.body.size': 18,
        'messaging.client.id': 'ingestion-0',
        'server.address': '127.0.0.1',
        'engawa.decoder': 'native',
        'engawa.outcome': 'stored',
      },
    });
    expect(a.events.map(({ name }) => name)).toEqual(['decoded', 'packed', 'stored']);
    expect(b).toMatchObject({ traceId: traceOf('b'), parentSpanId: publisherSpan });
    for (const message of [a, b]) {
      await until('its write', () => collector.spans.some(linksTo(message)));
      const [write] = collector.spans.filter(linksTo(message));
      expect(write).toMatchObject({ name: 'DynamoDB.BatchWriteItem', kind: 3 });
      // Of the first message of the batch, where it stores both.
      expect([traceOf('a'), traceOf('b')]).toContain(write?.traceId);
    }
  });

  it('are recorded as their publisher has decided, and one without a publisher of its own accord', async () => {
    await publish('unrecorded', '{"temperature": 1}', {
      traceparent: `00-${traceOf('d')}-${publisherSpan}-00`,
    });
    await publish('alone', '{"temperature": 1}');
    const [alone] = (await messagesOf('alone')) as [CollectedSpan];
    expect(alone).not.toHaveProperty('parentSpanId', expect.stringMatching(/./));
    expect(alone.links).toEqual([]);
    expect(collector.spans.filter(({ traceId }) => traceId === traceOf('d'))).toEqual([]);
  });

  const hostile: Record<string, UserProperties> = {
    twice: { traceparent: [sampled('e'), sampled('f')] },
    malformed: { traceparent: 'no context' },
    zeros: { traceparent: `00-${traceOf('0')}-${publisherSpan}-01` },
    long: { traceparent: sampled('1') + '-'.repeat(60_000) },
    prototype: JSON.parse(`{"__proto__": "x", "constructor": "y"}`) as UserProperties,
    baggage: { baggage: `a=${'b'.repeat(60_000)}` },
    empty: { traceparent: '', tracestate: '' },
  };

  it.each(Object.entries(hostile))(
    'with a context that is none (%s) begin a trace',
    async (name, properties) => {
      await publish(name, '{"temperature": 1}', properties);
      const [message] = (await messagesOf(name)) as [CollectedSpan];
      expect(message.links).toEqual([]);
      expect(message.attributes['engawa.outcome']).toBe('stored');
    },
  );

  it('with a tracestate of 60 KB keep their trace and lose the state', async () => {
    await publish('state', '{"temperature": 1}', {
      traceparent: sampled('3'),
      tracestate: `a=${'b'.repeat(60_000)}`,
    });
    const [message] = (await messagesOf('state')) as [CollectedSpan & { traceState?: string }];
    expect(message.traceId).toBe(traceOf('3'));
    expect(message.traceState ?? '').toBe('');
  });

  it('that become dead letters say why, and their replay is traced as the request that it is', async () => {
    await publish('poison', 'no json', { traceparent: sampled('4') });
    const [message] = (await messagesOf('poison')) as [CollectedSpan];
    expect(message).toMatchObject({
      traceId: traceOf('4'),
      status: { code: 2 },
      attributes: { 'engawa.outcome': 'dead_lettered', 'error.type': 'malformed' },
    });
    const letters = await fetch(`${child.api}/v1/deadLetters`);
    const { items } = (await letters.json()) as { items: { id: string }[] };
    const replay = await fetch(`${child.api}/v1/deadLetters/${items[0]?.id ?? ''}/replay`, {
      method: 'POST',
      headers: { traceparent: sampled('5') },
    });
    expect(replay.status).toBeLessThan(500);
    await until('the span of the replay', () =>
      collector.spans.some(({ kind, traceId }) => kind === 2 && traceId === traceOf('5')),
    );
  });

  it('over HTTP are part of the trace of their request', async () => {
    const answer = await fetch(`${child.api}/v1/readings?device=posted`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: sampled('6') },
      body: '[{"temperature": 1}, {"temperature": 2, "ts": 1790000000}]',
    });
    expect(answer.status).toBe(202);
    const requests = () =>
      collector.spans.filter(({ kind, traceId }) => kind === 2 && traceId === traceOf('6'));
    await until('the span of the request', () => requests().length > 0);
    const [request] = requests() as [CollectedSpan];
    expect(request).toMatchObject({ name: 'POST /v1/readings', parentSpanId: publisherSpan });
    expect(request.events.map(({ name }) => name)).toEqual(['packed', 'stored']);
    await until('its write', () => collector.spans.some(linksTo(request)));
  });

  it('that are published twice are stored once, with a span each', async () => {
    const metrics = new TableMetrics(new Registry());
    const table = connectTable({ ...started.location, metrics, log: pino({ enabled: false }) });
    for (let time = 0; time < 2; time += 1) {
      await publish('again', '{"temperature": 1, "ts": 1790000000}', { traceparent: sampled('7') });
    }
    const spans = () =>
      collector.spans.filter(({ kind, traceId }) => kind === 5 && traceId === traceOf('7'));
    await until('both spans', () => spans().length === 2);
    const { items } = await table.query({ pk: devicePartition('again') });
    table.close();
    expect(items.filter(isBlockItem)).toHaveLength(1);
  });

  it('that are delivered again after a crash continue the same trace, and say so', async () => {
    proxy.fateOf = ({ operation, text }) =>
      operation === 'BatchWriteItem' && text.includes('crash') ? 'cut' : 'answered';
    await publish('crash', '{"temperature": 1}', { traceparent: sampled('8') });
    await until('a write that fails', () => proxy.counts.cut > 0);
    await child.kill();
    proxy.fateOf = () => 'answered';
    child = await IngestionChild.start(environment, []);
    const [message] = (await messagesOf('crash')) as [CollectedSpan];
    expect(message).toMatchObject({ traceId: traceOf('8'), parentSpanId: publisherSpan });
    expect(message.attributes).toMatchObject({
      'engawa.redelivered': true,
      'engawa.outcome': 'stored',
    });
  });
});
