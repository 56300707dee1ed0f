import { activeTracer } from '@engawa/service';
import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { matches } from '../decoders/topic-filter.ts';
import type { Message } from '@engawa/mqtt';
import type { Attributes, Context, Span, TextMapGetter } from '@opentelemetry/api';
import type { Decoder } from '../decoders/decoder.ts';
import type { MessageOutcome } from './message-metrics.ts';

/** A message with its span, which only messages of a process that is traced have. */
export interface TracedMessage extends Message {
  span?: Span;
}

export interface MessageTracerOptions {
  brokerUrl: string;
  group: string | undefined;
}

type UserProperties = NonNullable<Message['userProperties']>;

/** Characters of `tracestate` that everybody has to pass on (W3C Trace Context, 3.3.1.5); longer values are ignored. */
const maxValueLength = 512;
/** Characters of a topic that a span keeps. */
const maxTopicLength = 256;

/**
 * A span for each message, from its receipt to its acknowledgement, which continues the context of its publisher: the user properties
 * `traceparent` and `tracestate` of MQTT 5. Names and attributes are those of OpenTelemetry's semantic conventions, "Messaging".
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

  /** Begins the span of a message. Does nothing where there is no tracing. */
  received(message: TracedMessage, decoder: Decoder | undefined): void {
    if (this.#tracer === undefined) return;
    const { topic, payload, session, userProperties, duplicate } = message;
    const levels = topic.split('/');
    const template = decoder?.filters.find((filter) => matches(filter, levels))?.text;
    const publisher = publisherOf(userProperties);
    const created = trace.getSpanContext(publisher);
    const options = {
      kind: SpanKind.CONSUMER,
      // The parent says the same, but a link is what the conventions ask for.
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
    message.span = this.#tracer.startSpan(name, options, publisher);
  }
}

/** Ends the span of a message that is acknowledged. */
export function endSpan({ span }: TracedMessage, outcome: MessageOutcome): void {
  span?.setAttribute('engawa.outcome', outcome).end();
}

/** Ends the span of a message that is left to be delivered again, or notes why it becomes a dead letter. */
export function failSpan({ span }: TracedMessage, reason: string, detail?: string): void {
  span?.setAttribute('error.type', reason);
  span?.setStatus({ code: SpanStatusCode.ERROR, ...(detail !== undefined && { message: detail }) });
}

function publisherOf(properties: UserProperties | undefined): Context {
  if (properties === undefined) return ROOT_CONTEXT;
  return propagation.extract(ROOT_CONTEXT, properties, userPropertyGetter);
}

/** Anybody may publish anything: a name that comes twice, and a value that is too long, is as if it were not there. */
const userPropertyGetter: TextMapGetter<UserProperties> = {
  keys: (properties) => properties.map(([name]) => name),
  get(properties, wanted) {
    const [found, another] = properties.filter(([name]) => name === wanted);
    const value = another === undefined ? found?.[1] : undefined;
    return value === undefined || value.length > maxValueLength ? undefined : value;
  },
};
