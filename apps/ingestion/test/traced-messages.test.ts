import { deadLetterPartition, devicePartition } from '@engawa/keys';
import { isBlockItem } from '@engawa/model';
import { connectTable, TableMetrics } from '@engawa/table';
import { describeWithMosquitto, openBeforeAll, until } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { linksTo, TracingFixture } from './tracing-fixture.ts';
import type { CollectedSpan } from '@engawa/testing';
import type { RequestOutcome } from './table-proxy.ts';
import type { UserProperties } from './tracing-fixture.ts';

const traceOf = (digit: string) => digit.repeat(32);
const publisherSpan = 'c'.repeat(16);
const sampled = (digit: string) => `00-${traceOf(digit)}-${publisherSpan}-01`;
/** A topic filter of a default decoder. */
const template = 'engawa/+/readings';

describeWithMosquitto('messages of publishers that trace', () => {
  const fixture = openBeforeAll(() => TracingFixture.open());

  it('are one trace from the publisher to the write', async () => {
    await Promise.all([
      fixture.publish('a', '{"temperature": 1}', {
        traceparent: sampled('a'),
        tracestate: 'vendor=1',
      }),
      fixture.publish('b', '{"temperature": 2}', { traceparent: sampled('b') }),
    ]);
    const [a, b] = (await fixture.messagesOf('a', 'b')) as [CollectedSpan, CollectedSpan];
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
      await until('its write', () => fixture.collector.spans.some(linksTo(message)));
      const [write] = fixture.collector.spans.filter(linksTo(message));
      expect(write).toMatchObject({ name: 'DynamoDB.BatchWriteItem', kind: 3 });
      // Of the first message of the batch, which stores both.
      expect([traceOf('a'), traceOf('b')]).toContain(write?.traceId);
    }
  });

  it('are recorded as their publisher decided; without a publisher span always', async () => {
    await fixture.publish('unrecorded', '{"temperature": 1}', {
      traceparent: `00-${traceOf('d')}-${publisherSpan}-00`,
    });
    await fixture.publish('alone', '{"temperature": 1}');
    const [alone] = (await fixture.messagesOf('alone')) as [CollectedSpan];
    expect(alone).not.toHaveProperty('parentSpanId', expect.stringMatching(/./));
    expect(alone.links).toEqual([]);
    expect(fixture.collector.spans.filter(({ traceId }) => traceId === traceOf('d'))).toEqual([]);
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
    'with an invalid context (%s) begin a trace',
    async (name, properties) => {
      await fixture.publish(name, '{"temperature": 1}', properties);
      const [message] = (await fixture.messagesOf(name)) as [CollectedSpan];
      expect(message.links).toEqual([]);
      expect(message.attributes['engawa.outcome']).toBe('stored');
    },
  );

  it('with a tracestate of 60 KB keep their trace and lose the state', async () => {
    await fixture.publish('state', '{"temperature": 1}', {
      traceparent: sampled('3'),
      tracestate: `a=${'b'.repeat(60_000)}`,
    });
    const [message] = (await fixture.messagesOf('state')) as [
      CollectedSpan & { traceState?: string },
    ];
    expect(message.traceId).toBe(traceOf('3'));
    expect(message.traceState ?? '').toBe('');
  });

  it('that become dead letters have the reason, and their replay is traced as its request', async () => {
    await fixture.publish('poison', 'no json', { traceparent: sampled('4') });
    const [message] = (await fixture.messagesOf('poison')) as [CollectedSpan];
    expect(message).toMatchObject({
      traceId: traceOf('4'),
      status: { code: 2 },
      attributes: { 'engawa.outcome': 'dead_lettered', 'error.type': 'malformed' },
    });
    const deadLetters = await fetch(`${fixture.child.api}/v1/deadLetters`);
    const { items } = (await deadLetters.json()) as { items: { id: string }[] };
    const replay = await fetch(`${fixture.child.api}/v1/deadLetters/${items[0]?.id ?? ''}/replay`, {
      method: 'POST',
      headers: { traceparent: sampled('5') },
    });
    expect(replay.status).toBeLessThan(500);
    await until('the span of the replay', () =>
      fixture.collector.spans.some(({ kind, traceId }) => kind === 2 && traceId === traceOf('5')),
    );
  });

  const firstShard = deadLetterPartition('2026-11-21', 0).replace('2026-11-21', String.raw`[-\d]+`);
  const answered = (): RequestOutcome => 'answered';
  const keptLetters: [string, string, number, (text: string) => RequestOutcome][] = [
    ['a dead letter', 'no json', 1, answered],
    ['a dead letter of four parts', 'x'.repeat(1024 * 1024), 4, answered],
    // An attempt, the mark that dead letters of the day are spread, the dead letter.
    [
      'a dead letter of a throttled shard',
      'no json',
      3,
      (text) => (new RegExp(`"${firstShard}"`).test(text) ? 'throttled' : 'answered'),
    ],
    // An attempt, the dead letter with only topic and payload.
    [
      'a rejected dead letter',
      'no json',
      2,
      (text) => (text.includes('"detail":{"S":"the table refused') ? 'answered' : 'refused'),
    ],
  ];

  it.each(keptLetters)(
    'that become dead letters have a link from each write of %s',
    async (name, payload, items, fateOf) => {
      const device = name.replaceAll(' ', '-');
      fixture.proxy.fateOf = ({ body }) => fateOf(body);
      await fixture.publish(device, payload, { traceparent: sampled('9') });
      const [message] = (await fixture.messagesOf(device)) as [CollectedSpan];
      fixture.proxy.fateOf = answered;
      const written = () =>
        fixture.collector.spans
          .filter(linksTo(message))
          .reduce((sum, { attributes }) => sum + Number(attributes['db.operation.batch.size']), 0);
      await until(`writes of ${items} items`, () => written() >= items);
    },
  );

  it('of a throttled device have a link from the write of their parked block', async () => {
    const partition = devicePartition('throttled');
    await fixture.publish('throttled', '{"temperature": 0}');
    await fixture.messagesOf('throttled');
    fixture.collector.spans.length = 0;
    fixture.proxy.fateOf = ({ operation, body }) =>
      operation === 'BatchWriteItem' && body.includes(`{"S":${JSON.stringify(partition)}}`)
        ? 'throttled'
        : 'answered';
    await fixture.publish('throttled', '{"temperature": 1}', { traceparent: sampled('2') });
    const [message] = (await fixture.messagesOf('throttled')) as [CollectedSpan];
    expect(message.attributes['engawa.outcome']).toBe('stored');
    await until('a write that is not refused', () =>
      fixture.collector.spans.some((span) => linksTo(message)(span) && span.status.code !== 2),
    );
    fixture.proxy.fateOf = answered;
  });

  it('over HTTP are part of the trace of their request', async () => {
    const answer = await fetch(`${fixture.child.api}/v1/readings?device=posted`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: sampled('6') },
      body: '[{"temperature": 1}, {"temperature": 2, "ts": 1790000000}]',
    });
    expect(answer.status).toBe(202);
    const requests = () =>
      fixture.collector.spans.filter(({ kind, traceId }) => kind === 2 && traceId === traceOf('6'));
    await until('the span of the request', () => requests().length > 0);
    const [request] = requests() as [CollectedSpan];
    expect(request).toMatchObject({ name: 'POST /v1/readings', parentSpanId: publisherSpan });
    expect(request.events.map(({ name }) => name)).toEqual(['packed', 'stored']);
    await until('its write', () => fixture.collector.spans.some(linksTo(request)));
  });

  it('that are published twice are stored once, with a span each', async () => {
    const metrics = new TableMetrics(new Registry());
    const table = connectTable({
      ...fixture.started.location,
      metrics,
      log: pino({ enabled: false }),
    });
    for (let time = 0; time < 2; time += 1) {
      await fixture.publish('again', '{"temperature": 1, "ts": 1790000000}', {
        traceparent: sampled('7'),
      });
    }
    const spans = () =>
      fixture.collector.spans.filter(({ kind, traceId }) => kind === 5 && traceId === traceOf('7'));
    await until('both spans', () => spans().length === 2);
    const { items } = await table.query({ pk: devicePartition('again') });
    table.close();
    expect(items.filter(isBlockItem)).toHaveLength(1);
  });

  it('that are delivered again after a crash continue the same trace, and are marked', async () => {
    fixture.proxy.fateOf = ({ operation, body }) =>
      operation === 'BatchWriteItem' && body.includes('crash') ? 'cut' : 'answered';
    await fixture.publish('crash', '{"temperature": 1}', { traceparent: sampled('8') });
    await until('a write that fails', () => fixture.proxy.counts.cut > 0);
    await fixture.child.kill();
    fixture.proxy.fateOf = answered;
    await fixture.startChild();
    const [message] = (await fixture.messagesOf('crash')) as [CollectedSpan];
    expect(message).toMatchObject({ traceId: traceOf('8'), parentSpanId: publisherSpan });
    expect(message.attributes).toMatchObject({
      'engawa.redelivered': true,
      'engawa.outcome': 'stored',
    });
  });
});
