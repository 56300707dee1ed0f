import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startProcess, workspace } from '@engawa/embedded';
import { dashboards } from './dashboards/index.ts';
import { readModel } from './live/dashboard-model.ts';
import { FilledVariables } from './live/grafana-variables.ts';
import { drawPanel } from './live/page/draw-panel.ts';
import { pageWidth } from './live/page/layout.ts';
import { pageHeight, pageOf } from './live/page/page.ts';
import { LiveStack } from './live/live-stack.ts';
import { Load } from './live/load/load.ts';
import { rulesFor } from './live/rules-for.ts';
import { explanationQuery, longestExplanation } from './live/explain-hot-keys.ts';
import { playEpisode } from './live/play-episode.ts';
import { untilCalm } from './live/until-calm.ts';
import { ruleFile } from './rules/index.ts';
import type { NamedDashboard } from './dashboards/index.ts';
import type { EarlierRows } from './live/page/draw-panel.ts';
import type { Span } from './live/prometheus.ts';

const folder = join(workspace, 'docs/dashboards');
/** Seconds between two scrapes and between two points of a line, and `$__rate_interval` in seconds. */
const stepSeconds = 2;
const every = `${stepSeconds}s`;
const rateSeconds = 10;
const daySeconds = 86_400;
/**
 * Seconds of a bucket of the device dashboard. Grafana's bars are as narrow as the first bucket,
 * which a time range may cut.
 */
const bucket = 900;
/** The variables of the device dashboard. */
const chosen = { device: 'meter-smith', field: 'energyImport' };

/** Draws each dashboard without Grafana, from the results of its own queries to a running stack. */
async function run(): Promise<void> {
  const stack = await LiveStack.start({ rules: rulesFor(ruleFile(), every), every });
  const load = new Load(stack);
  try {
    await load.begin();
    await untilCalm(stack.prometheus);
    const from = Date.now() / 1000;
    const earlier = await playWithExplanation(stack, load);
    const span = { from, to: Date.now() / 1000, step: stepSeconds };
    mkdirSync(folder, { recursive: true });
    for (const dashboard of dashboards()) await draw(dashboard, stack, { span, earlier });
  } finally {
    await load.close();
    await stack.close();
  }
}

type EarlierResults = ReadonlyMap<string, EarlierRows>;

/** @returns the rows of “Hot keys, explained” from the moment at which the most keys were hot */
async function playWithExplanation(stack: LiveStack, load: Load): Promise<EarlierResults> {
  const ending = new AbortController();
  const explanation = longestExplanation(stack, ending.signal);
  try {
    await playEpisode(load, (line) => console.log(line));
  } finally {
    ending.abort();
  }
  const { rows, at } = await explanation;
  const when = `At ${at.toISOString().slice(11, 19)}, when the most keys were hot`;
  return new Map([[explanationQuery().url ?? '', { rows, when }]]);
}

interface Episode {
  span: Span;
  earlier: EarlierResults;
}

async function draw(
  { name, model }: NamedDashboard,
  stack: LiveStack,
  { span: episode, earlier }: Episode,
): Promise<void> {
  const { title, panels, templating } = readModel(model);
  const ofDevice = name === 'device-data';
  const span = ofDevice
    ? { from: Math.floor((episode.to - daySeconds) / bucket) * bucket, to: episode.to, step: 60 }
    : episode;
  const { prometheus, urls } = stack;
  const options = { prometheus, queryApi: urls.query, span, rateSeconds, chosen, earlier };
  const variables = await FilledVariables.of(templating.list, options);
  const drawn = await Promise.all(
    panels.map((panel) => drawPanel(panel, { ...options, variables })),
  );
  const shown = templating.list.map(
    ({ name: its, label }) => [label ?? its, variables.shown(its)] as const,
  );
  const time = ofDevice
    ? 'Last 24 hours'
    : `Last ${Math.round((span.to - span.from) / 60)} minutes`;
  const page = pageOf({ title, variables: shown, time, drawn });
  await photograph(page, pageHeight(panels), join(folder, `${name}.webp`));
  console.log(`${name}: ${drawn.length} panels`);
}

async function photograph(page: string, height: number, file: string): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'engawa-picture-'));
  const address = join(temporary, 'page.html');
  writeFileSync(address, page);
  const flags = [
    ...['headless', 'no-sandbox', 'disable-gpu', 'disable-quic', 'no-first-run'],
    ...[
      'disable-background-networking',
      'disable-component-update',
      'disable-sync',
      'hide-scrollbars',
    ],
    `user-data-dir=${join(temporary, 'profile')}`,
    `window-size=${pageWidth},${Math.ceil(height)}`,
    `screenshot=${file}`,
  ];
  const command = [
    'chromium',
    ...flags.map((flag) => `--${flag}`),
    pathToFileURL(address).href,
  ] as const;
  await startProcess({ name: 'chromium', command, ready: 'exited' });
  rmSync(temporary, { recursive: true, force: true });
}

await run();
