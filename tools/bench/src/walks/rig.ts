import { randomBytes } from 'node:crypto';
import { startBroker, startDynamoDb } from '@engawa/embedded';
import { devicePartition } from '@engawa/keys';
import { ensureTable } from '@engawa/table';
import { Closables } from '../closables.ts';
import { DurableTap } from '../ingestion/durable-tap.ts';
import { RawTable } from '../raw-table.ts';
import { InspectedService } from './inspected-service.ts';
import type { WalksOptions } from './options.ts';

/** Milliseconds after which a published reading counts as lost. */
const storingMs = 60_000;
const tableName = 'bench-walks';

/** The engine and the broker. */
export class WalksRig {
  readonly #closables = new Closables();
  readonly #options: WalksOptions;
  #tap!: DurableTap;
  mqttUrl = '';
  items!: RawTable;

  static async start(options: WalksOptions): Promise<WalksRig> {
    const rig = new WalksRig(options);
    await rig.#closables.opening(() => rig.#start());
    return rig;
  }

  private constructor(options: WalksOptions) {
    this.#options = options;
  }

  async #start(): Promise<void> {
    const { endpoint } = this.#closables.add(await startDynamoDb());
    await ensureTable({ tableName, endpoint, timeoutMs: 5000 });
    this.#tap = this.#closables.add(await DurableTap.start(endpoint));
    this.items = this.#closables.add(new RawTable({ endpoint, tableName }));
    this.mqttUrl = this.#closables.add(await startBroker()).url;
  }

  get repetitions(): number {
    return this.#options.repetitions;
  }

  /** Resolves when the next readings of the device are stored. @throws Error if they are not */
  untilStored(device: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const error = new Error(`readings of ${device} are not stored after ${storingMs / 1000} s`);
      setTimeout(() => reject(error), storingMs).unref();
      this.#tap.onStored = (pk) => {
        if (pk === devicePartition(device)) resolve();
      };
    });
  }

  /** Runs `measure` with a new service. */
  async withService<Result>(
    service: string,
    measure: (inspected: InspectedService) => Promise<Result>,
  ): Promise<Result> {
    const { checkout, node } = this.#options;
    const environment = {
      HOST: '127.0.0.1',
      TABLE_NAME: tableName,
      DYNAMODB_ENDPOINT: this.#tap.endpoint,
      MQTT_URL: this.mqttUrl,
      MQTT_VERSION: '3.1.1',
      CURSOR_SECRET: randomBytes(32).toString('hex'),
      RATE_LIMIT_PER_MINUTE: '0',
      REQUEST_UNIT_LIMIT: '1000000',
    };
    const started = await InspectedService.start({ service, environment, checkout, node });
    return this.#closables.with(started, measure);
  }

  close(): Promise<void> {
    return this.#closables.close();
  }
}
