import { Metrics } from '@engawa/testing';
import { Creations } from '../creations.ts';
import { readHotReport } from '../hot-report.ts';
import type { ServiceProcess } from '@engawa/embedded';
import type { HotReport } from '../hot-report.ts';
import type { HotRig, ObservedTable } from '../rig.ts';
import type { SentTimes } from '../../children/streams.ts';

export const hotDevice = 'freezer-7';
export const deviceKey = `DEVICE#${hotDevice}`;
export const listKey = 'LIST#DEVICE#0';
export const seenKey = 'SEEN#DEVICE#0';
const listFamilies = ['LIST#DEVICE', 'SEEN#DEVICE'];
/** Devices that are not hot; each publishes a reading a second. */
export const otherDevices = 20;
/** Bytes of text in a reading, which fills a block and so a write unit. */
const text = 800;

export type HotPartition = HotReport['partitions'][number];

/** The state of a hot device or list. */
export interface View {
  /** Offered, stored and throttled in the last second. */
  offered: number;
  stored: number;
  throttled: number;
  /** Number of shards, for each index. */
  shards: readonly number[];
  /** Its keys in the service's `/v1/hot-partitions`. */
  hot: HotPartition[];
}

export interface HotLoadSample {
  device: View | undefined;
  list: View | undefined;
  /** Readings of the other devices, stored in the last second. */
  others: number;
}

export interface HotLoadOptions {
  rig: HotRig;
  observed: ObservedTable;
  services: Record<'ingestion' | 'registry' | 'query', ServiceProcess>;
  /** Write units a second of a key. */
  limit: number;
}

/** The load that makes a device and a list hot, and what can be observed of them. */
export class HotLoad {
  readonly #options: HotLoadOptions;
  #creations: Creations | undefined;
  #isDeviceHot = false;
  /** Since the last look. */
  #counts = noCounts();
  #lookedAt = performance.now();

  constructor(options: HotLoadOptions) {
    this.#options = options;
    const { tap } = options.observed;
    tap.onStored = (pk, _latency, readings) => {
      this.#counts[isHotDevice(pk) ? 'device' : 'others'] += readings;
    };
    tap.onThrottled = (pk) => {
      if (isHotDevice(pk)) this.#counts.deviceThrottled += 1;
    };
    tap.onUpdate = (pk, isThrottled) => {
      if (pk.startsWith('DEVICE#listed-')) {
        this.#counts[isThrottled ? 'listThrottled' : 'list'] += 1;
      }
    };
  }

  get deviceRate(): number {
    return 5 * this.#options.limit;
  }

  get listRate(): number {
    return 3 * this.#options.limit;
  }

  async begin(): Promise<void> {
    const devices = Array.from({ length: otherDevices }, (_, number) => `sensor-${number + 1}`);
    const others = { name: 'others', devices, rate: otherDevices, text: 0 };
    await this.#options.rig.streams.call('start', others);
  }

  async heatDevice(): Promise<void> {
    const hot = { name: 'hot', devices: [hotDevice], rate: this.deviceRate, text };
    await this.#options.rig.streams.call('start', hot);
    this.#isDeviceHot = true;
  }

  heatList(): void {
    const { url } = this.#options.services.registry;
    this.#creations = new Creations({ url, rate: this.listRate });
  }

  /** Ends the load. @returns the published readings of the hot device, and the number of new devices */
  async stop(): Promise<{ sent: SentTimes; created: number }> {
    const { streams } = this.#options.rig;
    const [sent, created] = await Promise.all([
      streams.call('stop', { name: 'hot' }),
      this.#creations?.stop() ?? 0,
      streams.call('stop', { name: 'others' }),
    ]);
    return { sent, created };
  }

  async look(): Promise<HotLoadSample> {
    const { ingestion, registry } = this.#options.services;
    const [ofIngestion, ofRegistry, hotDevices, hotLists] = await Promise.all([
      Metrics.of(ingestion.metricsUrl),
      Metrics.of(registry.metricsUrl),
      hotPartitions(ingestion.url),
      hotPartitions(registry.url),
    ]);
    const counts = this.#counts;
    const seconds = (performance.now() - this.#lookedAt) / 1000;
    [this.#counts, this.#lookedAt] = [noCounts(), performance.now()];
    const device: View = {
      offered: this.deviceRate,
      stored: counts.device / seconds,
      throttled: counts.deviceThrottled / seconds,
      shards: [shardsOf(ofIngestion, 'DEVICE')],
      hot: hotDevices.filter(({ partition }) => partition.startsWith(deviceKey)),
    };
    const list: View = {
      offered: this.listRate,
      stored: counts.list / seconds,
      throttled: counts.listThrottled / seconds,
      shards: listFamilies.map((family) => shardsOf(ofRegistry, family)),
      hot: hotLists.filter(({ index }) => index === 'gsi1'),
    };
    return {
      others: counts.others / seconds,
      device: this.#isDeviceHot ? device : undefined,
      list: this.#creations && list,
    };
  }

  /** The lines of ingestion's `/metrics` with the throttles of the hot device. */
  async metricLines(): Promise<string[]> {
    const metrics = await Metrics.of(this.#options.services.ingestion.metricsUrl);
    const labels = { partition: deviceKey };
    return metrics.samples('engawa_hot_partition_throttles_per_second', labels);
  }
}

function noCounts() {
  return { device: 0, deviceThrottled: 0, list: 0, listThrottled: 0, others: 0 };
}

function isHotDevice(pk: string): boolean {
  return pk === deviceKey || pk.startsWith(`${deviceKey}#`);
}

function shardsOf(metrics: Metrics, family: string): number {
  return Math.max(1, metrics.sum('engawa_partition_shards', { family }));
}

async function hotPartitions(url: string): Promise<HotPartition[]> {
  const { partitions } = (await readHotReport(url)) ?? { partitions: [] };
  return partitions.filter(({ hotSince }) => hotSince !== undefined);
}
