import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { startTable } from './table-fixture.ts';
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
beforeEach(() => exporter.reset());

it('makes a span of a request, with what it asked and got', async () => {
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
