import { Metrics } from '@engawa/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { leastToMost, spread } from '../statistics.ts';
import type { ServiceProcess } from '@engawa/embedded';
import type { Print } from '../report.ts';
import type { PartFindings } from './part-findings.ts';
import type { HotOptions } from './options.ts';
import type { HotRig, ObservedTable } from './rig.ts';

/** Devices that become hot one after the other. */
const repetitions = 5;
/** Milliseconds between two scrapes; Prometheus usually takes at least 5 s. */
const scrapeIntervalMs = 1000;
/** Scrapes after which the measurement fails. */
const maxScrapes = 15;
/** Offered load, as a multiple of a key's limit. */
const excess = 5;

interface DetectionDelay {
  scrapes: number;
  seconds: number;
}

/** How long after the first throttle of a key do the gauges name it? */
export function measureMetric(
  rig: HotRig,
  options: HotOptions,
  print: Print,
): Promise<PartFindings> {
  return rig.withStage('metric', (observed) =>
    rig.withService('ingestion', observed, { LINGER_MS: '0' }, async (ingestion) => {
      const shown: (DetectionDelay | undefined)[] = [];
      for (let number = 1; number <= repetitions; number++) {
        print(`metric: a device becomes hot, ${number} of ${repetitions}`);
        shown.push(
          await untilShown({ rig, observed, ingestion, options, device: `metric-${number}` }),
        );
      }
      return { findings: [findingOf(shown)] };
    }),
  );
}

interface Heating {
  rig: HotRig;
  observed: ObservedTable;
  ingestion: ServiceProcess;
  options: HotOptions;
  device: string;
}

async function untilShown(heating: Heating): Promise<DetectionDelay | undefined> {
  const { rig, observed, device, options } = heating;
  const partition = `DEVICE#${device}`;
  const throttled = Promise.withResolvers<number>();
  observed.tap.onThrottled = (pk) => {
    if (pk === partition) throttled.resolve(performance.now());
  };
  const rate = excess * options.limit;
  await rig.streams.call('start', { name: device, devices: [device], rate, text: 800 });
  const first = await throttled.promise;
  const shown = await scrape(heating, partition, first);
  await rig.streams.call('stop', { name: device });
  // The rest is stored without a limit, so that the next device starts with an idle service.
  await observed.simulator.call('setLimits', {});
  await untilQuiet(heating);
  await observed.simulator.call('setLimits', rig.limits);
  return shown;
}

/** The throttle occurs at a random moment between two scrapes. */
async function scrape(
  { ingestion }: Heating,
  partition: string,
  first: number,
): Promise<DetectionDelay | undefined> {
  await sleep(Math.random() * scrapeIntervalMs);
  for (let scrapes = 1; scrapes <= maxScrapes; scrapes++) {
    const metrics = await Metrics.of(ingestion.metricsUrl);
    const labels = { index: 'table', unit: 'write', partition };
    if (metrics.sum('engawa_hot_partition_throttles_per_second', labels) > 0) {
      return { scrapes, seconds: (performance.now() - first) / 1000 };
    }
    await sleep(scrapeIntervalMs);
  }
  return undefined;
}

async function untilQuiet({ ingestion }: Heating): Promise<void> {
  const unacknowledged = async () => {
    const metrics = await Metrics.of(ingestion.metricsUrl);
    return metrics.sum('engawa_ingest_unacknowledged_messages');
  };
  for (let look = 0; look < 60 && (await unacknowledged()) > 0; look++) await sleep(500);
}

function findingOf(shown: readonly (DetectionDelay | undefined)[]) {
  const seen = shown.filter((one) => one !== undefined);
  const all = seen.length === shown.length;
  const seconds = seen.map((one) => one.seconds);
  const within = seconds.length === 0 ? '' : ` (within ${spread(seconds, 1)} s)`;
  return {
    what: `from the first throttle to the metric, in scrapes a second apart, ${shown.length} times${within}`,
    measured: all ? leastToMost(seen.map(({ scrapes }) => scrapes)) : 'not always',
    baseline: '1',
    ratio: '',
    target: '1',
    reached: all && seen.every(({ scrapes }) => scrapes === 1),
  };
}
