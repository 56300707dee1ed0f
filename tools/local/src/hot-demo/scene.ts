import { hotPartitions, Samples } from './observed.ts';
import { limit } from './demo-stack.ts';
import { Publisher } from './publisher.ts';
import { Registrar } from './registrar.ts';
import type { DemoStack } from './demo-stack.ts';
import type { HotPartition } from './observed.ts';

export const hotDevice = 'freezer-7';
export const deviceKey = `DEVICE#${hotDevice}`;
export const listKey = 'LIST#DEVICE#0';
export const seenKey = 'SEEN#DEVICE#0';
const listFamilies = ['LIST#DEVICE', 'SEEN#DEVICE'];
/** Readings a second of the hot device, new devices a second, and devices that are not hot, of a reading a second each. */
export const deviceRate = 5 * limit;
export const listRate = 3 * limit;
export const others = 20;
/** Characters that fill a block, and so a write unit, with one reading. */
const note = 'n'.repeat(800);

/** What is to be seen of something that is hot. */
export interface View {
  wanted: number;
  /** In the last second. */
  stored: number;
  /** Keys that it is spread over: one number for each index that it is in. */
  shards: readonly number[];
  /** Throttled attempts a second, as the service's own gauge says. */
  throttles: number;
  /** What the service's `/v1/hot-partitions` has of its keys. */
  hot: HotPartition[];
}

/** One look at all of it. */
export interface Look {
  device: View | undefined;
  list: View | undefined;
  /** Readings of the other devices that were stored in the last second. */
  others: number;
}

/** Who makes what hot, and what can be seen of it from outside, by the endpoints that users have. */
export class Scene {
  readonly #stack: DemoStack;
  readonly #others: Publisher;
  #hot: Publisher | undefined;
  #registrar: Registrar | undefined;
  /** Sums at the last look. */
  #before = { at: performance.now(), device: 0, others: 0, list: 0 };

  constructor(stack: DemoStack) {
    this.#stack = stack;
    const devices = Array.from({ length: others }, (_, number) => `sensor-${number + 1}`);
    const fields = { temperature: 21.5 };
    this.#others = new Publisher({ url: stack.mqttUrl, devices, rate: others, fields });
  }

  heatDevice(): void {
    const url = this.#stack.mqttUrl;
    this.#hot = new Publisher({ url, devices: [hotDevice], rate: deviceRate, fields: { note } });
  }

  heatList(): void {
    this.#registrar = new Registrar({ url: this.#stack.urls.registry.api, rate: listRate });
  }

  /** Of the hot device's readings, and of the new devices, so many are to be there in the end. */
  get published(): number {
    return this.#hot?.count ?? 0;
  }

  get wanted(): number {
    return this.#registrar?.wanted ?? 0;
  }

  /** Nothing more is published or begun; what has been is still under way. */
  stop(): void {
    for (const load of this.#loads) load.stop();
  }

  /** What is under way is given up. */
  close(): void {
    for (const load of this.#loads) load.close();
  }

  get #loads(): (Publisher | Registrar)[] {
    return [this.#others, this.#hot, this.#registrar].filter((load) => load !== undefined);
  }

  async look(): Promise<Look> {
    const { ingestion, registry } = this.#stack.urls;
    const [ofDevice, ofList, hotDevices, hotLists] = await Promise.all([
      Samples.of(ingestion.metrics),
      Samples.of(registry.metrics),
      hotPartitions(ingestion.api),
      hotPartitions(registry.api),
    ]);
    const sums = sumsOf(ofDevice, ofList);
    const { at, device, others, list } = this.#before;
    const seconds = (sums.at - at) / 1000;
    this.#before = sums;
    const throttles = (samples: Samples, key: string): number =>
      samples.sum('engawa_hot_partition_throttles_per_second', `partition="${key}`);
    return {
      others: (sums.others - others) / seconds,
      device: this.#hot && {
        wanted: deviceRate,
        stored: (sums.device - device) / seconds,
        shards: [shardsOf(ofDevice, 'DEVICE')],
        throttles: throttles(ofDevice, deviceKey),
        hot: hotDevices.filter(({ partition }) => partition.startsWith(deviceKey)),
      },
      list: this.#registrar && {
        wanted: listRate,
        stored: (sums.list - list) / seconds,
        shards: listFamilies.map((family) => shardsOf(ofList, family)),
        throttles: listFamilies.reduce((sum, family) => sum + throttles(ofList, `${family}#`), 0),
        hot: hotLists.filter(({ index }) => index === 'gsi1'),
      },
    };
  }

  /** Whole lines of `/metrics`, to be shown as they are. */
  async metricLines(service: 'ingestion' | 'registry', key: string): Promise<string[]> {
    const samples = await Samples.of(this.#stack.urls[service].metrics);
    return samples.lines('engawa_hot_partition_throttles_per_second', `partition="${key}"`);
  }
}

/** Counts that only grow. The two sorts of device differ by kind, which follows from what they report. */
function sumsOf(ingestion: Samples, registry: Samples) {
  const readings = (kind: string): number =>
    ingestion.sum('engawa_ingest_readings_total', `kind="${kind}"`);
  // Each new device is one unit there.
  const creations = ['operation="UpdateItem"', 'index="gsi1"', 'unit="write"'];
  const list = registry.sum('engawa_table_consumed_units_total', ...creations);
  return { at: performance.now(), device: readings('other'), others: readings('climate'), list };
}

function shardsOf(samples: Samples, family: string): number {
  return Math.max(1, samples.sum('engawa_partition_shards', `family="${family}"`));
}
