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
import type { BatchWriteInput } from '../write/batch-write-input.ts';

/** Links that a span keeps (OpenTelemetry specification, "Span Limits"). */
const maxLinks = 128;

/**
 * A client span for each request (OpenTelemetry semantic conventions, "AWS DynamoDB"); without an OpenTelemetry SDK it
 * costs nothing.
 */
export class RequestTracer {
  readonly #tracer = trace.getTracer('@engawa/table');
  readonly #tableName: string;

  constructor(tableName: string) {
    this.#tableName = tableName;
  }

  /** Sends a request within a span, which is the active one meanwhile. */
  trace<Result extends { output: object }>(
    operation: string,
    input: ServiceInputTypes | BatchWriteInput,
    send: () => Promise<Result>,
  ): Promise<Result> {
    const { parent, links } = originOf(input);
    const attributes = requestAttributes(operation, this.#tableName, input);
    const options = { kind: SpanKind.CLIENT, attributes, links };
    return this.#tracer.startActiveSpan(`DynamoDB.${operation}`, options, parent, (span) =>
      finish(span, send()),
    );
  }

  /** Adds the server to the span of the request that is being sent. */
  sendingTo({ hostname, port, protocol }: Address): void {
    trace.getActiveSpan()?.setAttributes({
      'server.address': hostname,
      'server.port': port ?? (protocol === 'http:' ? 80 : 443),
    });
  }
}

/** Traces each request of a client. */
export function traceRequests(client: DynamoDBClient, tracer: RequestTracer): void {
  client.middlewareStack.add(
    (next, { commandName }) => {
      const operation = operationOf(commandName);
      return (request) => tracer.trace(operation, request.input, () => next(request));
    },
    { name: 'engawaTraceRequests', step: 'initialize', priority: 'high' },
  );
  client.middlewareStack.add(
    (next) => (build) => {
      tracer.sendingTo(build.request as Address);
      return next(build);
    },
    { name: 'engawaTraceServer', step: 'build' },
  );
}

interface Address {
  hostname: string;
  port?: number | undefined;
  protocol: string;
}

/**
 * Parent and links of a request's span. A batch of the writer is linked to the spans of its items, not to the span that
 * is active when it is sent. Its parent is the first recorded one, so that the batch is recorded if and only if one of
 * them is.
 */
function originOf(input: object): { parent: Context; links: Link[] } {
  if (!('puts' in input)) return { parent: context.active(), links: [] };
  const origins = new Set<SpanContext>();
  for (const { callers } of (input as BatchWriteInput).puts) {
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
  input: ServiceInputTypes | BatchWriteInput,
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
      'db.operation.batch.size': input.puts.length,
    }),
    ...(index !== 'table' && { 'aws.dynamodb.index_name': index }),
    ...('Limit' in input && { 'aws.dynamodb.limit': input.Limit }),
    ...('ScanIndexForward' in input && { 'aws.dynamodb.scan_forward': input.ScanIndexForward }),
  };
}

async function finish<Result extends { output: object }>(
  span: Span,
  result: Promise<Result>,
): Promise<Result> {
  try {
    const { output } = await result;
    if (span.isRecording()) span.setAttributes(outputAttributes(output as ServiceOutputTypes));
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
