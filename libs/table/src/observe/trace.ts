import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { errorKindOf } from '../errors/dynamo-error.ts';
import { requestedIndex, operationOf } from './request-name.ts';
import type {
  DynamoDBClient,
  ServiceInputTypes,
  ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import type { Attributes, Context, Link, Span, SpanContext } from '@opentelemetry/api';
import type { PreparedBatchInput } from '../write/batch-write-command.ts';

/** Links that a span keeps (OpenTelemetry specification, "Span Limits"). */
const maxLinks = 128;

/**
 * A client span for each request (OpenTelemetry semantic conventions, "AWS DynamoDB"); without an
 * OpenTelemetry SDK it costs nothing.
 */
export function traceRequests(client: DynamoDBClient, tableName: string): void {
  const tracer = trace.getTracer('@engawa/table');
  client.middlewareStack.add(
    (next, { commandName }) => {
      const operation = operationOf(commandName);
      return (request) => {
        const { parent, links } = originOf(request.input);
        const attributes = requestAttributes(operation, tableName, request.input);
        const options = { kind: SpanKind.CLIENT, attributes, links };
        return tracer.startActiveSpan(`DynamoDB.${operation}`, options, parent, (span) =>
          finish(span, next(request)),
        );
      };
    },
    { name: 'engawaTraceRequests', step: 'initialize', priority: 'high' },
  );
  client.middlewareStack.add(
    (next) => (build) => {
      const { hostname, port, protocol } = build.request as Address;
      trace.getActiveSpan()?.setAttributes({
        'server.address': hostname,
        'server.port': port ?? (protocol === 'http:' ? 80 : 443),
      });
      return next(build);
    },
    { name: 'engawaTraceServer', step: 'build' },
  );
}

interface Address {
  hostname: string;
  port?: number;
  protocol: string;
}

/**
 * Parent and links of a request's span. A batch of the writer is linked to the spans of its items, not to the span that
 * is active when it is sent. Its parent is the first recorded one, so that the batch is recorded if and only if one of
 * them is.
 */
function originOf(input: ServiceInputTypes): { parent: Context; links: Link[] } {
  if (!('puts' in input)) return { parent: context.active(), links: [] };
  const origins = new Set<SpanContext>();
  for (const { callers } of (input as PreparedBatchInput).puts) {
    for (const { origins: own = [] } of callers) for (const origin of own) origins.add(origin);
  }
  if (origins.size === 0) return { parent: ROOT_CONTEXT, links: [] };
  const all = [...origins];
  const recorded = all.filter(({ traceFlags }) => (traceFlags & TraceFlags.SAMPLED) !== 0);
  const [parent] = recorded.length > 0 ? recorded : all;
  return {
    parent: parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    links: recorded.slice(0, maxLinks).map((origin) => ({ context: origin })),
  };
}

function requestAttributes(
  operation: string,
  tableName: string,
  input: ServiceInputTypes,
): Attributes {
  const index = requestedIndex(input);
  return {
    'rpc.system': 'aws-api',
    'rpc.service': 'DynamoDB',
    'rpc.method': operation,
    'db.system.name': 'aws.dynamodb',
    'db.operation.name': operation,
    'db.collection.name': tableName,
    'aws.dynamodb.table_names': [tableName],
    ...('puts' in input && {
      'db.operation.batch.size': (input as PreparedBatchInput).puts.length,
    }),
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
    if (span.isRecording()) span.setAttributes(outputAttributes(output));
    return await result;
  } catch (error) {
    span.setAttributes({ 'error.type': errorKindOf(error), ...requestId(error) });
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

function outputAttributes(output: ServiceOutputTypes): Attributes {
  const attributes: Attributes = requestId(output);
  if ('Count' in output) attributes['aws.dynamodb.count'] = output.Count ?? 0;
  if ('ScannedCount' in output) attributes['aws.dynamodb.scanned_count'] = output.ScannedCount ?? 0;
  if ('ConsumedCapacity' in output) {
    const consumed = [output.ConsumedCapacity ?? []].flat();
    attributes['aws.dynamodb.consumed_capacity'] = consumed.map((used) => JSON.stringify(used));
  }
  return attributes;
}

/** From an output, or from an error of DynamoDB. */
function requestId(result: unknown): Attributes {
  const { $metadata } = Object(result) as { $metadata?: { requestId?: string } };
  return $metadata?.requestId === undefined ? {} : { 'aws.request_id': $metadata.requestId };
}
