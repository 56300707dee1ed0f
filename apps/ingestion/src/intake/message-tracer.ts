import { activeTracer } from '@engawa/service';
import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { matches } from '../decoders/topic-filter.ts';
import type { Message } from '@engawa/mqtt';
import type { Attributes, Context, Span, TextMapGetter } from '@opentelemetry/api';
import type { Decoder } from '../decoders/decoder.ts';
import type { MessageOutcome } from './message-metrics.ts';

/** A message with its span, if the process is traced. */
export interface MessageWithSpan extends Message {
  traceSpan?: Span;
}

export interface MessageTracerOptions {
  brokerUrl: string;
  group: string | undefined;
}

type UserProperties = NonNullable<Message['userProperties']>;

/** Maximum length of `tracestate` that has to be propagated (W3C Trace Context, 3.3.1.5); longer values are ignored. */
const maxValueLength = 512;
/** Maximum length of a topic in a span. */
const maxTopicLength = 256;

/**
 * A span for each message, from its receipt to its acknowledgement. It continues the context of the publisher: the user
 * properties `traceparent` and `tracestate` of MQTT 5. Names and attributes follow OpenTelemetry's semantic
 * conventions, "Messaging".
 */
export class MessageTracer {
  readonly #tracer = activeTracer('@engawa/ingestion');
  readonly #common: Attributes;

  constructor({ brokerUrl, group }: MessageTracerOptions) {
    const { hostname, port } = new URL(brokerUrl);
    this.#common = {
      'messaging.system': 'mqtt',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'server.address': hostname,
      ...(port !== '' && { 'server.port': Number(port) }),
      ...(group !== undefined && { 'messaging.consumer.group.name': group }),
    };
  }

  /** Starts the span of a message. Does nothing without tracing. */
  received(message: MessageWithSpan, decoder: Decoder | undefined): void {
    if (this.#tracer === undefined) return;
    const { topic, payload, session, userProperties, duplicate } = message;
    const levels = topic.split('/');
    const template = decoder?.filters.find((filter) => matches(filter, levels))?.text;
    const publisher = publisherOf(userProperties);
    const created = trace.getSpanContext(publisher);
    const options = {
      kind: SpanKind.CONSUMER,
      // The parent is the same context, but the conventions ask for a link.
      links: created === undefined ? [] : [{ context: created }],
      attributes: {
        ...this.#common,
        'messaging.destination.name': topic.slice(0, maxTopicLength),
        'messaging.destination.template': template,
        'messaging.client.id': session,
        'messaging.message.body.size': payload.length,
        'engawa.decoder': decoder?.name,
        ...(duplicate && { 'engawa.redelivered': true }),
      },
    };
    const name = template === undefined ? 'process' : `process ${template}`;
    message.traceSpan = this.#tracer.startSpan(name, options, publisher);
  }
}

/** Ends the span of an acknowledged message. */
export function endSpan({ traceSpan }: MessageWithSpan, outcome: MessageOutcome): void {
  traceSpan?.setAttribute('engawa.outcome', outcome).end();
}

/** Marks the span of a message that is not acknowledged, or becomes a dead letter, as failed. */
export function failSpan({ traceSpan }: MessageWithSpan, reason: string, detail?: string): void {
  traceSpan?.setAttribute('error.type', reason);
  traceSpan?.setStatus({
    code: SpanStatusCode.ERROR,
    ...(detail !== undefined && { message: detail }),
  });
}

function publisherOf(properties: UserProperties | undefined): Context {
  if (properties === undefined) return ROOT_CONTEXT;
  return propagation.extract(ROOT_CONTEXT, properties, userPropertyGetter);
}

/** Publishers are not trusted: a name that occurs twice, or a value that is too long, is ignored. */
const userPropertyGetter: TextMapGetter<UserProperties> = {
  keys: (properties) => properties.map(([name]) => name),
  get(properties, wanted) {
    const [found, another] = properties.filter(([name]) => name === wanted);
    const value = another === undefined ? found?.[1] : undefined;
    return value === undefined || value.length > maxValueLength ? undefined : value;
  },
};
