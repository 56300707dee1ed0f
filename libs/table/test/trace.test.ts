import { randomUUID } from 'node:crypto';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { startTable } from './table-fixture.ts';
import type { SpanContext } from '@opentelemetry/api';
import type { TableFixture } from './table-fixture.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
let fixture: TableFixture;

beforeAll(async () => {
  provider.register();
  fixture = await startTable();
});
afterAll(async () => {
  await fixture.close();
  await provider.shutdown();
});
beforeEach(() => {
  exporter.reset();
  fixture.proxy.reply = () => 'forward';
});

it('creates a span for a request, with attributes of its input and output', async () => {
  await fixture.table.query({ index: 'gsi1', pk: 'traced', limit: 3, descending: true });
  const [span] = exporter.getFinishedSpans();
  expect(span).toMatchObject({ name: 'DynamoDB.Query', kind: SpanKind.CLIENT });
  expect(span?.attributes).toMatchObject({
    'db.system.name': 'aws.dynamodb',
    'db.operation.name': 'Query',
    'aws.dynamodb.table_names': [fixture.table.tableName],
    'aws.dynamodb.index_name': 'gsi1',
    'aws.dynamodb.limit': 3,
    'aws.dynamodb.scan_forward': false,
    'aws.dynamodb.count': 0,
    'aws.dynamodb.consumed_capacity': [expect.stringContaining('"CapacityUnits":')],
  });
});

it('marks the span of a request that failed', async () => {
  fixture.proxy.reply = () => ({ status: 400, type: 'AccessDeniedException' });
  await expect(fixture.table.get({ pk: 'a', sk: 'b' })).rejects.toThrow();
  const [span] = exporter.getFinishedSpans();
  expect(span?.status.code).toBe(SpanStatusCode.ERROR);
  expect(span?.attributes['error.type']).toBe('denied');
});

describe('the span of a batch', () => {
  const tracer = provider.getTracer('test');
  const origin = (name: string, context = ROOT_CONTEXT) =>
    tracer.startSpan(name, {}, context).spanContext();
  const unrecorded = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    traceFlags: 0,
    isRemote: true,
  };
  const write = async (origins: (SpanContext[] | undefined)[]) => {
    const writer = fixture.table.batchWriter();
    // The span that is active when the writer sends is unrelated to the batch.
    await tracer.startActiveSpan('unrelated', () =>
      Promise.all(
        origins.map((own, index) =>
          writer.put({ pk: 'traced', sk: `${randomUUID()} ${index}` }, { origins: own }),
        ),
      ),
    );
    writer.close();
    return exporter.getFinishedSpans().filter(({ name }) => name === 'DynamoDB.BatchWriteItem');
  };

  it('is linked to the spans of its items, and is a child of the first', async () => {
    const [first, second] = [origin('first'), origin('second')];
    const [batch, ...others] = await write([[first], [second, first], undefined]);
    expect(others).toEqual([]);
    expect(batch?.links.map(({ context }) => context)).toEqual([first, second]);
    expect(batch?.parentSpanContext).toEqual(first);
    expect(batch?.attributes).toMatchObject({ 'db.operation.batch.size': 3 });
  });

  it('is recorded where one of them is', async () => {
    const recorded = origin('recorded');
    const [batch] = await write([[unrecorded], [recorded]]);
    expect(batch?.links.map(({ context }) => context)).toEqual([recorded]);
    expect(batch?.spanContext().traceId).toBe(recorded.traceId);
  });

  it('is not recorded where none of them is', async () => {
    expect(await write([[unrecorded], undefined])).toEqual([]);
  });

  it('has no parent where its items have no span', async () => {
    const [batch] = await write([undefined]);
    expect(batch?.parentSpanContext).toBeUndefined();
    expect(batch?.links).toEqual([]);
  });

  it('has a bounded number of links', async () => {
    const many = Array.from({ length: 300 }, () => origin('many'));
    const [batch] = await write([many]);
    expect(batch?.links).toHaveLength(128);
  });
});
