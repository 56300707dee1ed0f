import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { blockItem, deviceItem } from '@engawa/model';
import { aDevice } from '@engawa/testing';
import { Services } from './services.ts';
import type { Device, Fields } from '@engawa/model';

const examples = resolve(__dirname, '../../../examples');
const run = promisify(execFile);

/** All services with the data of the examples, and the examples as a user runs them. */
export class ExampleHouse {
  readonly services: Services;

  static async start(): Promise<ExampleHouse> {
    return new ExampleHouse(await Services.start({ TYPE_SETTLE_MS: '1000' }));
  }

  private constructor(services: Services) {
    this.services = services;
  }

  /** The output of an example, as rows of cells. */
  async cells(script: string, ...args: string[]): Promise<string[][]> {
    const { stdout } = await this.play(script, args);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
  }

  play(script: string, args: readonly string[], environment: Record<string, string> = {}) {
    const { ingestion, registry, query, catalog } = this.services.urls;
    const urls = {
      INGESTION_URL: ingestion,
      REGISTRY_URL: registry,
      QUERY_URL: query,
      CATALOG_URL: catalog,
    };
    const env = { ...process.env, ...urls, ...environment };
    const command = script.endsWith('.ts') ? process.execPath : 'bash';
    return run(command, [join(examples, script), ...args], { env });
  }

  /** Stores a device and its readings, as ingestion does. */
  async report(
    device: Partial<Device> & { id: string },
    readings: Record<number, Fields>,
  ): Promise<void> {
    const { table } = this.services;
    const times = Object.keys(readings).map(Number);
    const lastSeenAt = Math.max(...times);
    await table.put(deviceItem(aDevice({ lastSeenAt, ...device }), { list: 1, seen: 1 }));
    for (const [time, fields] of Object.entries(readings)) {
      await table.put(blockItem({ device: device.id, readings: [{ time: Number(time), fields }] }));
    }
  }

  async put(path: string, body: object): Promise<void> {
    const answer = await fetch(this.services.urls.registry + path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`PUT ${path}: ${await answer.text()}`);
  }

  /** Sets the device's placement in the registry, optionally since an earlier time. */
  settle(place: string, device: string, since: number, room?: string): Promise<void> {
    const where = { since: new Date(since).toISOString(), room };
    return this.put(`/v1/places/${place}/devices/${encodeURIComponent(device)}`, where);
  }

  close(): Promise<void> {
    return this.services.close();
  }
}
