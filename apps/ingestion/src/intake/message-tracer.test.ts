import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { chooseDecoders, createDecoders } from '../decoders/index.ts';
import { addSpanEvent } from '../storing/add-span-event.ts';
import { endSpan, failSpan, MessageTracer } from './message-tracer.ts';
import type { MessageWithSpan } from './message-tracer.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const options = { brokerUrl: 'mqtts://user:hunter2@broker.example', group: 'homes' };

const messageOn = (topic: string, duplicate = false): MessageWithSpan => ({
  topic,
  payload: Buffer.from('{}'),
  qos: 1,
  retained: false,
  session: 'ingestion-0',
  messageId: 1,
  duplicate,
  userProperties: undefined,
  receivedAt: 0,
  release: () => undefined,
});

it('without tracing a message gets no span', () => {
  const message = messageOn('engawa/lamp/readings');
  new MessageTracer(options).received(message, undefined);
  endSpan(message, 'stored');
  failSpan(message, 'not_durable');
  addSpanEvent(message.traceSpan, 'stored');
  expect(message).not.toHaveProperty('traceSpan');
});

describe('with tracing', () => {
  beforeAll(() => provider.register());
  beforeEach(() => exporter.reset());
  afterAll(async () => {
    await provider.shutdown();
    trace.disable();
  });

  const spanOf = (message: MessageWithSpan) => {
    const [native] = createDecoders(chooseDecoders('native'), {
      deviceIds: 'distinct',
      timeZone: 'UTC',
      tasmotaMainSensors: [],
    });
    new MessageTracer(options).received(
      message,
      message.topic.startsWith('engawa/') ? native : undefined,
    );
    endSpan(message, 'stored');
    return exporter.getFinishedSpans()[0];
  };

  it('a redelivered message is marked', () => {
    expect(spanOf(messageOn('engawa/lamp/readings', true))?.attributes).toMatchObject({
      'engawa.redelivered': true,
    });
  });

  it('the broker is named without its credentials, with the group', () => {
    const span = spanOf(messageOn('engawa/lamp/readings'));
    expect(span?.attributes).toMatchObject({
      'server.address': 'broker.example',
      'messaging.consumer.group.name': 'homes',
    });
    expect(JSON.stringify(span?.attributes)).not.toContain('hunter2');
  });

  it('names are bounded: the topic is only in an attribute, truncated', () => {
    const span = spanOf(messageOn('x'.repeat(60_000)));
    expect(span?.name).toBe('process');
    expect(span?.attributes['messaging.destination.name']).toHaveLength(256);
  });

  it('a step after the end is ignored', () => {
    const message = messageOn('engawa/lamp/readings');
    const span = spanOf(message);
    addSpanEvent(message.traceSpan, 'stored');
    expect(span?.events).toEqual([]);
  });
});
