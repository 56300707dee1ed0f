/**
 * Runs the browser tests: starts the one-machine stack with its simulator on free ports, and Playwright with Debian's
 * Chromium. Arguments are passed to Playwright: `node test/browser/run.ts house.spec.ts`. With CONSOLE_URL, the
 * tests run against a console that is running already.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningProcess, workspace } from '@engawa/embedded';
import { freePort } from '@engawa/testing';
import { writeSummary } from './summary.ts';

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

/** The ports of the stack, by the variables of tools/local. */
const portVariables = [
  'CONSOLE_PORT',
  'MQTT_PORT',
  'DYNAMODB_PORT',
  ...['CONSOLE', 'INGESTION', 'REGISTRY', 'QUERY', 'CATALOG'].map((name) => `${name}_METRICS_PORT`),
  ...['INGESTION', 'REGISTRY', 'QUERY', 'CATALOG'].map((name) => `${name}_PORT`),
];

/** Milliseconds for the stack to stop. */
const stopMs = 30_000;

async function run(browser: string): Promise<number> {
  const { CONSOLE_URL: given } = process.env;
  if (given !== undefined && given !== '') return runPlaywright(browser, { CONSOLE_URL: given });
  const folder = mkdtempSync(join(tmpdir(), 'engawa-browser-'));
  const ports: Record<string, string> = {};
  for (const variable of portVariables) ports[variable] = String(await freePort());
  const stack = new RunningProcess({
    name: 'npm start',
    command: [process.execPath, join(workspace, 'tools/local/src/main.ts')],
    cwd: workspace,
    environment: { DATA_FOLDER: folder, ...ports },
    parentDeathSignal: 'TERM',
  });
  try {
    await stack.untilReady({ output: 'Ctrl-C stops everything' });
    return runPlaywright(browser, {
      CONSOLE_URL: `http://127.0.0.1:${ports['CONSOLE_PORT']}`,
      INGESTION_URL: `http://127.0.0.1:${ports['INGESTION_PORT']}`,
      MQTT_URL: `mqtt://127.0.0.1:${ports['MQTT_PORT']}`,
    });
  } finally {
    await stack.end('SIGINT', stopMs);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A process that blocks this one: nothing else runs here until it ends. @returns its exit code */
function runPlaywright(browser: string, environment: Record<string, string>): number {
  const config = join(import.meta.dirname, 'playwright.config.cjs');
  const cli = join(workspace, 'node_modules/@playwright/test/cli.js');
  const { status } = spawnSync(
    process.execPath,
    [cli, 'test', '-c', config, ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, ...environment, CHROMIUM: browser } },
  );
  return status ?? 1;
}

if (chromium === undefined) {
  const name = 'browser tests of the console: Chromium is not installed (apt-get install chromium)';
  process.stdout.write(`skipped: ${name}\n`);
  writeSummary({ passed: 0, failed: 0, skipped: [name], failures: [] });
} else {
  process.exitCode = await run(chromium);
}
