import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynamoDb } from '@engawa/embedded';
import { devicePartition } from '@engawa/keys';
import { blockReadings, isBlockItem } from '@engawa/model';
import { connectTable, ensureTable, queryAll, TableMetrics } from '@engawa/table';
import { startMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { IngestionChild } from './ingestion-child.ts';
import type { DynamoDb } from '@engawa/embedded';
import type { Mosquitto } from '@engawa/testing';
import type { Table } from '@engawa/table';
import type { MqttClient } from 'mqtt';

const clientId = 'ingestion-0';
const session = { clientId, clean: false, protocolVersion: 5 as const };
/** Maximum unacknowledged messages of the publisher. */
const publishedAtOnce = 100;
const devices = 20;

/** Readings of a device, a second apart, an hour ago and older: `count` readings, beginning with number `from`. */
export function arrayOf(from: number, count: number, start: number): string {
  const readings = Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return { ts: start + number * 1000, temperature: (number % 900) / 10, humidity: number % 97 };
  });
  return JSON.stringify(readings);
}

/** A broker with a backlog, a table, and ingestion as a process with a heap of its own. */
export class MemoryFixture {
  readonly #folder = mkdtempSync(join(tmpdir(), 'engawa-memory-'));
  readonly #dataFile = join(this.#folder, 'table.sqlite');
  #dynamo!: DynamoDb;
  #mosquitto!: Mosquitto;
  table!: Table;
  #child: IngestionChild | undefined;

  static async open(): Promise<MemoryFixture> {
    const fixture = new MemoryFixture();
    const settings = ['allow_anonymous true', 'max_inflight_messages 0'];
    fixture.#mosquitto = await startMosquitto({ settings });
    fixture.#dynamo = await startDynamoDb({ dataFile: fixture.#dataFile });
    const { endpoint } = fixture.#dynamo;
    const location = { tableName: 'engawa', region: 'local', endpoint, timeoutMs: 60_000 };
    await ensureTable(location);
    const metrics = new TableMetrics(new Registry());
    fixture.table = connectTable({ ...location, metrics, log: pino({ level: 'silent' }) });
    return fixture;
  }

  async stopTable(): Promise<void> {
    await this.#dynamo.close();
  }

  /** At the same address, with the same data. */
  async restartTable(): Promise<void> {
    const port = Number(new URL(this.#dynamo.endpoint).port);
    this.#dynamo = await startDynamoDb({ port, dataFile: this.#dataFile });
  }

  get child(): IngestionChild {
    if (this.#child === undefined) throw new Error('ingestion was not started');
    return this.#child;
  }

  /** Leaves a session for ingestion. */
  async openSession(): Promise<void> {
    const properties = { sessionExpiryInterval: 3600 };
    const subscriber = await connectAsync(this.#mosquitto.url, { ...session, properties });
    await subscriber.subscribeAsync('engawa/+/readings', { qos: 1 });
    await subscriber.endAsync();
  }

  /** Each message has the next `readings` of a device. */
  async publish(messages: number, readings: number, start: number): Promise<void> {
    const publisher = await connectAsync(this.#mosquitto.url);
    let next = 0;
    const publish = async () => {
      for (let number = next++; number < messages; number = next++) {
        const from = Math.floor(number / devices) * readings;
        const payload = arrayOf(from, readings, start);
        const topic = `engawa/backlog-${number % devices}/readings`;
        await publisher.publishAsync(topic, payload, { qos: 1 });
      }
    };
    await Promise.all(Array.from({ length: publishedAtOnce }, publish));
    await publisher.endAsync();
  }

  /** A client of the broker. */
  connectDevice(): Promise<MqttClient> {
    return connectAsync(this.#mosquitto.url);
  }

  async start(nodeOptions: readonly string[]): Promise<void> {
    const environment = {
      // Of which a single client may have a thousand.
      MAX_LIVE_LISTENERS: '1500',
      DYNAMODB_ENDPOINT: this.#dynamo.endpoint,
      AWS_REGION: 'local',
      MQTT_URL: this.#mosquitto.url,
      MQTT_CLIENT_ID: clientId,
    };
    this.#child = await IngestionChild.start(environment, nodeOptions);
  }

  async untilStored(readings: number): Promise<void> {
    const { child } = this;
    const progress = () => child.metric('engawa_ingest_readings_total');
    const isStored = async () => {
      if (!child.isRunning) throw new Error('ingestion ended');
      return (await progress()) >= readings;
    };
    await until(`${readings} stored readings`, isStored, { progress });
  }

  /** Number of readings of a device, and of different ones. */
  async readingsOf(device: string): Promise<{ all: number; different: number }> {
    const times = new Set<number>();
    let all = 0;
    for (const item of await queryAll(this.table, { pk: devicePartition(device) })) {
      if (!isBlockItem(item)) continue;
      for (const { time } of blockReadings(item)) {
        times.add(time);
        all += 1;
      }
    }
    return { all, different: times.size };
  }

  /** The same over all devices of the backlog. */
  async readings(): Promise<{ all: number; different: number }> {
    const counts = { all: 0, different: 0 };
    for (let number = 0; number < devices; number++) {
      const { all, different } = await this.readingsOf(`backlog-${number}`);
      counts.all += all;
      counts.different += different;
    }
    return counts;
  }

  async close(): Promise<void> {
    await this.#child?.close();
    this.table.close();
    await this.#mosquitto.close();
    await this.#dynamo.close();
    rmSync(this.#folder, { recursive: true });
  }
}
