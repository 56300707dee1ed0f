import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { dashboards } from './dashboards/index.ts';
import { readModel } from './live/dashboard-model.ts';
import { FilledVariables } from './live/grafana-variables.ts';
import { drawPanel } from './live/page/draw-panel.ts';
import { palettePng } from './live/page/palette-png.ts';
import { pageHeight, pageOf, pageWidth } from './live/page/page.ts';
import { LiveStack } from './live/live-stack.ts';
import { Load } from './live/load/load.ts';
import { RunningProcess, workspace } from './live/running-process.ts';
import { rulesFor } from './live/rules-for.ts';
import { playEpisode } from './live/play-episode.ts';
import { ruleFile } from './rules/index.ts';
import type { NamedDashboard } from './dashboards/index.ts';
import type { Span } from './live/prometheus.ts';

const folder = join(workspace, 'docs/dashboards');
/** Seconds between two scrapes, and two points of a line; and of `$__rate_interval`. */
const step = 2;
const every = `${step}s`;
const rateSeconds = 10;
/** Milliseconds in which what the backfill has left behind is over. */
const calming = 20_000;
const day = 86_400;
/** What the device dashboard shows. */
const chosen = { device: 'meter-smith', field: 'energyImport' };

/** Draws each dashboard from what it asks of a running stack, without Grafana. */
async function run(): Promise<void> {
  const stack = await LiveStack.start({ rules: rulesFor(ruleFile(), every), every });
  const load = new Load(stack);
  try {
    await load.begin();
    await sleep(calming);
    const from = Date.now() / 1000;
    await playEpisode(load, (line) => console.log(line));
    const span = { from, to: Date.now() / 1000, step };
    mkdirSync(folder, { recursive: true });
    for (const dashboard of dashboards()) await draw(dashboard, stack, span);
  } finally {
    await load.close();
    await stack.close();
  }
}

async function draw(
  { name, model }: NamedDashboard,
  stack: LiveStack,
  episode: Span,
): Promise<void> {
  const { title, panels, templating } = readModel(model);
  const ofDevice = name === 'device-data';
  const span = ofDevice ? { from: episode.to - day, to: episode.to, step: 60 } : episode;
  const { prometheus, urls } = stack;
  const options = { prometheus, queryApi: urls.query, span, rateSeconds, chosen };
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
  await photograph(page, pageHeight(panels), join(folder, `${name}.png`));
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
  await RunningProcess.start({ name: 'chromium', command: [...command], ready: 'ended' });
  writeFileSync(file, palettePng(readFileSync(file)));
  rmSync(temporary, { recursive: true, force: true });
}

await run();
