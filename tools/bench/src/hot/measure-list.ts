import { setTimeout as sleep } from 'node:timers/promises';
import { countBetween, recoveredAt, renderCurve } from './curve.ts';
import { Creations } from './creations.ts';
import { readHotReport } from './hot-report.ts';
import { Watch } from './watch.ts';
import type { ServiceProcess } from '@engawa/embedded';
import type { Finding, Print } from '../report.ts';
import type { PartFindings } from './part-findings.ts';
import type { HotReport } from './hot-report.ts';
import type { HotOptions } from './options.ts';
import type { HotRig, ObservedTable } from './rig.ts';

/** Offered load, as a multiple of a key's limit. */
const excess = 4;
const listKey = 'LIST#DEVICE#0';

/** A hot partition of the table or of an index. */
type HotPartition = HotReport['partitions'][number];

/** All new devices are listed under one key of an index: when does it get more shards, and does the advice name it? */
export function measureList(rig: HotRig, options: HotOptions, print: Print): Promise<PartFindings> {
  return rig.withStage('list', (observed) =>
    rig.withService('registry', observed, {}, (registry) =>
      watchList({ observed, registry, options, print }),
    ),
  );
}

interface Listing {
  observed: ObservedTable;
  registry: ServiceProcess;
  options: HotOptions;
  print: Print;
}

async function watchList({ observed, registry, options, print }: Listing): Promise<PartFindings> {
  const { limit, seconds } = options;
  const rate = excess * limit;
  const watch = new Watch({
    tap: observed.tap,
    process: registry,
    isHot: (pk) => pk.startsWith('DEVICE#listed-'),
    family: 'LIST#DEVICE',
    updates: true,
  });
  const hot = new Map<string, HotPartition>();
  const looking = setInterval(() => void lookFor(registry.url, hot), 1000);
  try {
    print(
      `list: ${rate} new devices a second, where ${listKey} accepts ${limit}, for ${seconds} s`,
    );
    const hotFrom = Date.now();
    const creations = new Creations({ url: registry.url, rate });
    await sleep(seconds * 1000);
    const hotTo = Date.now();
    const created = await creations.stop();
    const first = watch.firstThrottle;
    const at = recoveredAt(watch.stored, { rate, from: first ?? hotFrom, to: hotTo });
    const recovery = at === undefined ? undefined : (at - (first ?? hotFrom)) / 1000;
    const share = countBetween(watch.stored, hotTo - 10_000, hotTo) / (10 * rate);
    const listed = await countListed(registry.url);
    const curve = watch.curve({ from: hotFrom, hotFrom, hotTo, to: hotTo, rate });
    const title = `New devices, ${rate} a second; each key of their lists accepts ${limit}`;
    return {
      findings: [
        ...recoveryOf({ recovery, share, rate, shards: watch.shards }),
        listedOf(created, listed),
        adviceOf([...hot.values()]),
      ],
      more: [renderCurve(title, curve), ...adviceText(hot.get(`gsi1 ${listKey}`))],
    };
  } finally {
    clearInterval(looking);
    watch.close();
  }
}

async function lookFor(url: string, hot: Map<string, HotPartition>): Promise<void> {
  for (const one of (await readHotReport(url))?.partitions ?? []) {
    const name = `${one.index} ${one.partition}`;
    // People act on the first advice; later ones mention existing shards.
    if (one.hotSince !== undefined && !hot.has(name)) hot.set(name, one);
  }
}

/** The number of devices in the list. @throws Error if a device is listed twice */
export async function countListed(url: string): Promise<number> {
  const found = new Set<string>();
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await fetch(`${url}/v1/devices?limit=1000&namePrefix=listed-${next}`);
    if (!answer.ok) throw new Error(`the devices are not listed: ${await answer.text()}`);
    const page = (await answer.json()) as { items: { id: string }[]; cursor?: string | null };
    for (const { id } of page.items) {
      if (found.has(id)) throw new Error(`${id} is listed twice`);
      found.add(id);
    }
    cursor = page.cursor ?? undefined;
  }
  return found.size;
}

interface Recovery {
  recovery: number | undefined;
  share: number;
  rate: number;
  shards: number;
}

function recoveryOf({ recovery, share, rate, shards }: Recovery): Finding[] {
  return [
    {
      what: `list at ${excess} × its key's limit: from the first throttle until the full rate is stored, s`,
      measured: recovery?.toFixed(1) ?? 'never',
      baseline: '',
      ratio: '',
      target: '',
    },
    {
      what: `list: registered in the last ten seconds, /s, on ${shards} shards`,
      measured: (share * rate).toFixed(0),
      baseline: String(rate),
      ratio: share.toFixed(2),
      target: '≥ 0.95',
      reached: share >= 0.95,
    },
  ];
}

function listedOf(created: number, listed: number): Finding {
  return {
    what: 'list: devices listed once at the end',
    measured: String(listed),
    baseline: String(created),
    ratio: '',
    target: 'all',
    reached: listed === created,
  };
}

function adviceOf(hot: readonly HotPartition[]): Finding {
  const [first = 'nothing', second = '', ...others] = hot.map(
    ({ index, partition }) => `${index} ${partition}`,
  );
  const more = others.length === 0 ? '' : ` and ${others.length} more of indexes`;
  const list = hot.find(({ index, partition }) => index === 'gsi1' && partition === listKey);
  const ofTable = hot.some(({ index }) => index === 'table');
  return {
    what: 'list: reported hot partitions; the advice names the index, and no key of the table is hot',
    measured: `${first}${second && `, ${second}`}${ofTable ? ', keys of the table' : more}`,
    baseline: '',
    ratio: '',
    target: `gsi1 ${listKey}`,
    reached: list !== undefined && !ofTable && list.advice.join(' ').includes('gsi1'),
  };
}

function adviceText(list: HotPartition | undefined): string[] {
  if (list === undefined) return [];
  return [`The advice on gsi1 \`${listKey}\`:`, list.advice.map((line) => `- ${line}`).join('\n')];
}
