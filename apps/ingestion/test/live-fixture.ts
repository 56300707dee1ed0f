import { deviceKey } from '@engawa/keys';
import { deviceItem } from '@engawa/model';
import { IngestionFixture } from './ingestion-fixture.ts';
import { LiveClient } from './live-client.ts';
import type { Device, Document } from '@engawa/model';

/** Ingestion with listeners of its live feed. */
export class LiveFixture {
  readonly ingestion: IngestionFixture;
  readonly #clients: LiveClient[] = [];
  #elapsedMs = 0;

  static async open(): Promise<LiveFixture> {
    return new LiveFixture(await IngestionFixture.open());
  }

  private constructor(ingestion: IngestionFixture) {
    this.ingestion = ingestion;
  }

  async start(environment: Record<string, string> = {}): Promise<void> {
    await this.ingestion.start(environment, () => performance.now() + this.#elapsedMs);
  }

  /** Advances the monotonic clock of the service. */
  elapse(ms: number): void {
    this.#elapsedMs += ms;
  }

  async listen(query = '', headers: Record<string, string> = {}): Promise<LiveClient> {
    const client = await LiveClient.open(this.ingestion.api, query, headers);
    this.#clients.push(client);
    return client;
  }

  /** Registers a device, as the registry does. */
  async place(id: string, more: Partial<Device> = {}): Promise<void> {
    const device: Device = {
      ...{ id, name: id, kind: 'other', status: 'active', registeredAt: 0, lastSeenAt: 0 },
      ...{ span: 0, version: 1 },
      ...more,
    };
    await this.ingestion.table.put(deviceItem(device, { list: 1, seen: 1 }));
  }

  async change(id: string, set: Document): Promise<void> {
    await this.ingestion.table.update(deviceKey(id), { set });
  }

  /** Stores a reading with the number as field `x`. */
  async send(device: string, ...numbers: number[]): Promise<void> {
    for (const x of numbers) {
      await this.ingestion.publish(`engawa/${device}/readings`, JSON.stringify({ x }));
    }
  }

  /** Stores readings over HTTP. */
  async upload(device: string, readings: readonly object[]): Promise<void> {
    const body = JSON.stringify(readings);
    const answer = await this.ingestion.post(`/v1/readings?device=${device}`, body);
    expect(answer).toMatchObject({ status: 202, body: { stored: readings.length } });
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.ingestion.close();
  }
}
