import { startBroker } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { openDynamoDb } from '@engawa/testing';
import { buildLocalImage } from '../src/local-image.ts';
import { runBuilt } from './running-image.ts';
import type { TestDynamoDb } from '@engawa/testing';
import type { BuiltProcess } from './running-image.ts';

/** The image's files, and everything that its services connect to. */
export interface BundledServices {
  folder: string;
  engine: TestDynamoDb;
  environment: Record<string, string>;
  /** @param settings in addition to `environment` */
  run: (args: string[], settings?: Record<string, string>) => BuiltProcess;
  close: () => Promise<void>;
}

export async function bundledServices(): Promise<BundledServices> {
  const { folder, remove } = buildLocalImage();
  const engine = await openDynamoDb();
  const broker = await startBroker();
  const tableName = engine.tableNamed('engawa');
  await ensureTable({ tableName, endpoint: engine.endpoint, timeoutMs: 60_000 });
  const environment = {
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: engine.endpoint,
    MQTT_URL: broker.url,
    MQTT_VERSION: '3.1.1',
    PORT: '0',
    METRICS_PORT: '0',
  };
  const close = async () => {
    await broker.close();
    await engine.close();
    remove();
  };
  const run = (args: string[], settings: Record<string, string> = {}) =>
    runBuilt(folder, args, { ...environment, ...settings });
  return { folder, engine, environment, run, close };
}

/** The URL of a module with this text. */
export function asModule(script: string): string {
  return `data:text/javascript,${encodeURIComponent(script)}`;
}
