import { ensureTable } from '@engawa/table';
import { OtlpCollector, startMosquitto, startTable, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { IngestionChild } from './ingestion-child.ts';
import { TableProxy } from './table-proxy.ts';
import type { CollectedSpan, Mosquitto, StartedTable } from '@engawa/testing';
import type { IClientPublishOptions, MqttClient } from 'mqtt';

export type UserProperties = NonNullable<IClientPublishOptions['properties']>['userProperties'];

/** The service as a process that sends its spans to `collector`, with a real Mosquitto and `proxy` before its table. */
export class TracingFixture {
  readonly collector = new OtlpCollector();
  readonly started: StartedTable;
  readonly broker: Mosquitto;
  readonly proxy: TableProxy;
  readonly #device: MqttClient;
  #child: IngestionChild | undefined;

  static async open(): Promise<TracingFixture> {
    const [started, broker] = await Promise.all([startTable(ensureTable), startMosquitto()]);
    const [proxy, device] = await Promise.all([
      TableProxy.start(started.location.endpoint),
      connectAsync(broker.url, { protocolVersion: 5 }),
    ]);
    const fixture = new TracingFixture({ started, broker, proxy, device });
    try {
      await fixture.collector.listen();
      await fixture.startChild();
      return fixture;
    } catch (error) {
      // Otherwise its client would keep reconnecting during the next tests of this process.
      await fixture.close();
      throw error;
    }
  }

  private constructor(parts: {
    started: StartedTable;
    broker: Mosquitto;
    proxy: TableProxy;
    device: MqttClient;
  }) {
    this.started = parts.started;
    this.broker = parts.broker;
    this.proxy = parts.proxy;
    this.#device = parts.device;
  }

  get child(): IngestionChild {
    if (this.#child === undefined) throw new Error('the service is not started');
    return this.#child;
  }

  /** With the client id of the process before it, which must have ended. */
  async startChild(): Promise<void> {
    const environment = {
      ...this.started.environment,
      DYNAMODB_ENDPOINT: this.proxy.endpoint,
      LINGER_MS: '300,contact=0',
      MQTT_URL: this.broker.url,
      MQTT_CLIENT_ID: 'ingestion-0',
      OTEL_EXPORTER_OTLP_ENDPOINT: this.collector.endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    };
    this.#child = await IngestionChild.start(environment, []);
  }

  async publish(device: string, payload: string, userProperties?: UserProperties): Promise<void> {
    const properties = userProperties && { userProperties };
    await this.#device.publishAsync(`engawa/${device}/readings`, payload, {
      qos: 1,
      ...(properties && { properties }),
    });
  }

  /** The spans of these devices' messages, once they have arrived. */
  async messagesOf(...devices: string[]): Promise<CollectedSpan[]> {
    const topics = devices.map((id) => `engawa/${id}/readings`);
    const find = () =>
      topics.map((topic) =>
        this.collector.spans.find(
          ({ attributes }) => attributes['messaging.destination.name'] === topic,
        ),
      );
    await until(`spans of ${devices.join()}`, () => find().every((span) => span !== undefined));
    return find() as CollectedSpan[];
  }

  async close(): Promise<void> {
    await this.#device.endAsync();
    await this.#child?.close();
    await this.broker.close();
    await this.proxy.close();
    await this.started.close();
    await this.collector.close();
  }
}

export function linksTo({ spanId }: CollectedSpan): (span: CollectedSpan) => boolean {
  return (span) => span.links.some((link) => link.spanId === spanId);
}
