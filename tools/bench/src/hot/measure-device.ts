import { Metrics } from '@engawa/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { countBetween, recoveredAt, renderCurve } from './curve.ts';
import { excess, findingsOf, spread } from './device-findings.ts';
import { countReadings } from './oracle.ts';
import { Watch } from './watch.ts';
import type { ServiceProcess } from '@engawa/embedded';
import type { SentTimes } from '../children/streams.ts';
import type { Print } from '../report.ts';
import type { Run } from './device-findings.ts';
import type { PartFindings } from './part-findings.ts';
import type { HotOptions } from './options.ts';
import type { HotRig, ObservedTable } from './rig.ts';

const hotDevice = 'hot';
/** Bytes of text in a reading: it fills a block and so a write unit, so larger blocks do not help. */
const text = 800;
/** Time until connections are open, devices registered and code compiled; then the time of the comparison. */
const warmUpSeconds = 10;
const steadySeconds = 20;
/** Seconds until all readings are durable after publishing ends. */
const settleTimeoutSeconds = 180;

const isHot = (pk: string): boolean =>
  pk === `DEVICE#${hotDevice}` || pk.startsWith(`DEVICE#${hotDevice}#`);

/** One device at ten times its partition key's limit, with and without mitigation. */
export async function measureDevice(
  rig: HotRig,
  options: HotOptions,
  print: Print,
): Promise<PartFindings> {
  const runs: Run[] = [];
  for (const mitigation of [true, false]) runs.push(await play(rig, options, mitigation, print));
  return { findings: runs.flatMap(findingsOf), more: runs.map(({ curve }) => curve) };
}

function play(rig: HotRig, options: HotOptions, mitigation: boolean, print: Print): Promise<Run> {
  const name = mitigation ? 'mitigated' : 'unmitigated';
  const environment = { LINGER_MS: '0', SHARD_GROWTH: mitigation ? 'on' : 'off' };
  return rig.withStage(name, (observed) =>
    rig.withService('ingestion', observed, environment, (ingestion) =>
      watchRun({ rig, options, observed, ingestion, mitigation, print }),
    ),
  );
}

interface MitigationRun {
  rig: HotRig;
  options: HotOptions;
  observed: ObservedTable;
  ingestion: ServiceProcess;
  mitigation: boolean;
  print: Print;
}

async function watchRun(playing: MitigationRun): Promise<Run> {
  const { rig, options, observed, ingestion, mitigation, print } = playing;
  const { limit, seconds, devices } = options;
  const rate = excess * limit;
  const say = (what: string): void =>
    print(`device, mitigation ${mitigation ? 'on' : 'off'}: ${what}`);
  const isOther = (pk: string): boolean => pk.startsWith('DEVICE#other-');
  const { tap } = observed;
  const watch = new Watch({ tap, process: ingestion, isHot, isOther, family: 'DEVICE' });
  try {
    const total = warmUpSeconds + steadySeconds;
    say(
      `${devices} other devices; ${spread} devices publish the later hot load together, for ${total} s`,
    );
    const spreadSent = await publishSpread(playing, rate);
    const hotFrom = Date.now();
    say(
      `one device publishes it, ${rate} units a second; its key accepts ${limit}; for ${seconds} s`,
    );
    await rig.streams.call('start', { name: 'hot', devices: [hotDevice], rate, text });
    await sleep(seconds * 1000);
    const hotTo = Date.now();
    const hotSent = await rig.streams.call('stop', { name: 'hot' });
    const otherSent = await rig.streams.call('stop', { name: 'others' });
    const sent = { ...spreadSent, ...hotSent, ...otherSent };
    const shards = watch.shards;
    const first = watch.firstThrottle;
    const window = { rate, from: first ?? hotFrom, to: hotTo };
    const at = first === undefined ? hotFrom : recoveredAt(watch.stored, window);
    const share = countBetween(watch.stored, hotTo - 10_000, hotTo) / (10 * rate);
    say(`${Math.round(100 * share)} % were stored at the end, on ${shards} shards`);
    const settled = await settle(playing, sent, watch);
    const curve = watch.curve({ from: hotFrom - 5000, hotFrom, hotTo, to: hotTo, rate });
    return {
      mitigation,
      rate,
      recovery: at === undefined ? undefined : (at - (first ?? hotFrom)) / 1000,
      others: {
        before: watch.others(hotFrom - steadySeconds * 1000, hotFrom),
        during: watch.others(hotFrom, hotTo),
      },
      share,
      shards,
      ...settled,
      curve: renderCurve(titleOf(mitigation, options), curve),
    };
  } finally {
    watch.close();
  }
}

/** Starts the other devices, and publishes the later hot load from several devices. */
async function publishSpread(
  { rig, options, observed }: MitigationRun,
  rate: number,
): Promise<SentTimes> {
  const names = (kind: string, length: number): string[] =>
    Array.from({ length }, (_, number) => `${kind}-${number}`);
  const { devices } = options;
  // Registering many devices at once would make their lists hot.
  await observed.simulator.call('setLimits', {});
  const others = { name: 'others', devices: names('other', devices), rate: devices, text: 0 };
  await rig.streams.call('start', others);
  await rig.streams.call('start', { name: 'spread', devices: names('spread', spread), rate, text });
  await sleep(warmUpSeconds * 1000);
  await observed.simulator.call('setLimits', rig.limits);
  await sleep(steadySeconds * 1000);
  return rig.streams.call('stop', { name: 'spread' });
}

function titleOf(mitigation: boolean, { limit, devices }: HotOptions): string {
  return (
    `One device at ${excess * limit} write units a second, its key accepts ${limit}, ` +
    `${mitigation ? 'with mitigation' : 'SHARD_GROWTH=off'}; ${devices} other devices`
  );
}

/** Without mitigation the limit is lifted, so that the remaining readings can be stored and verified. */
async function settle(
  { rig, observed, ingestion, mitigation, print }: MitigationRun,
  sent: SentTimes,
  watch: Watch,
): Promise<Pick<Run, 'readingCounts' | 'parked'>> {
  const published = sent[hotDevice]?.length ?? 0;
  if (!mitigation) await observed.simulator.call('setLimits', {});
  const deadline = Date.now() + settleTimeoutSeconds * 1000;
  const parked = async () => {
    const metrics = await Metrics.of(ingestion.metricsUrl);
    const blocks = metrics.sum('engawa_ingest_parked_blocks_total');
    return { blocks, left: blocks - metrics.sum('engawa_ingest_unparked_blocks_total') };
  };
  const stored = (): number => watch.stored.reduce((sum, { count }) => sum + count, 0);
  // The metrics come first: the request fails if ingestion has ended.
  while (Date.now() < deadline && ((await parked()).left > 0 || stored() < published)) {
    await sleep(500);
  }
  print(`device, mitigation ${mitigation ? 'on' : 'off'}: reading back all published readings`);
  const { tableName, engine } = observed;
  const environment = {
    DYNAMODB_ENDPOINT: engine,
    TABLE_NAME: tableName,
    REQUEST_UNIT_LIMIT: '1000000000',
    REQUEST_DEADLINE_MS: '60000',
  };
  const readingCounts = await rig.withService('query', observed, environment, ({ url }) =>
    countReadings(url, sent),
  );
  return { readingCounts, parked: await parked() };
}
