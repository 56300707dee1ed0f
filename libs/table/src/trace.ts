import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { errorKindOf } from './dynamo-error.ts';
import { indexAsked, operationOf } from './observe.ts';
import type {
  DynamoDBClient,
  ServiceInputTypes,
  ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import type { Attributes, Span } from '@opentelemetry/api';

/** A client span for each request (OpenTelemetry semantic conventions, "AWS DynamoDB"); without an SDK it costs nothing. */
export function traceRequests(client: DynamoDBClient, tableName: string): void {
  const tracer = trace.getTracer('@engawa/table');
  client.middlewareStack.add(
    (next, { commandName }) => {
      const operation = operationOf(commandName);
      return (request) => {
        const attributes = requestAttributes(operation, tableName, request.input);
        return tracer.startActiveSpan(
          `DynamoDB.${operation}`,
          { kind: SpanKind.CLIENT, attributes },
          (span) => finish(span, next(request)),
        );
      };
    },
    { name: 'engawaTraceRequests', step: 'initialize', priority: 'high' },
  );
}

function requestAttributes(
  operation: string,
  tableName: string,
  input: ServiceInputTypes,
): Attributes {
  const index = indexAsked(input);
  return {
    'db.system.name': 'aws.dynamodb',
    'db.operation.name': operation,
    'aws.dynamodb.table_names': [tableName],
    ...(index !== 'table' && { 'aws.dynamodb.index_name': index }),
    ...('Limit' in input && { 'aws.dynamodb.limit': input.Limit }),
    ...('ScanIndexForward' in input && { 'aws.dynamodb.scan_forward': input.ScanIndexForward }),
  };
}

async function finish<Result extends { output: ServiceOutputTypes }>(
  span: Span,
  result: Promise<Result>,
): Promise<Result> {
  try {
    const { output } = await result;
    if (!span.isRecording()) return await result;
    if ('Count' in output) span.setAttribute('aws.dynamodb.count', output.Count ?? 0);
    if ('ScannedCount' in output) {
      span.setAttribute('aws.dynamodb.scanned_count', output.ScannedCount ?? 0);
    }
    if ('ConsumedCapacity' in output) {
      const consumed = [output.ConsumedCapacity ?? []].flat().map((used) => JSON.stringify(used));
      span.setAttribute('aws.dynamodb.consumed_capacity', consumed);
    }
    return await result;
  } catch (error) {
    span.setAttribute('error.type', errorKindOf(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
