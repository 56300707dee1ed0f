/**
 * Runs the browser tests: starts the one-machine stack with its simulator on free ports, and Playwright with Debian's
 * Chromium. Arguments are passed to Playwright: `node test/browser/run.ts house.spec.ts`. With CONSOLE_URL, the
 * tests run against a console that is running already.
 */
import { join } from 'node:path';
import { findChromium, RunningProcess, startLocalStack, workspace } from '@engawa/embedded';
import { writeSummary } from './summary.ts';

const chromium = findChromium();

async function run(browser: string): Promise<number> {
  const { CONSOLE_URL: given } = process.env;
  if (given !== undefined && given !== '') return runPlaywright(browser, { CONSOLE_URL: given });
  const stack = await startLocalStack({ simulator: true });
  try {
    return await runPlaywright(browser, {
      CONSOLE_URL: stack.consoleUrl,
      INGESTION_URL: stack.serviceUrls.ingestion,
      MQTT_URL: stack.mqttUrl,
      DYNAMODB_ENDPOINT: stack.dynamoDbEndpoint,
    });
  } finally {
    await stack.close();
  }
}

/** @returns its exit code */
async function runPlaywright(
  browser: string,
  environment: Record<string, string>,
): Promise<number> {
  const config = join(import.meta.dirname, 'playwright.config.cjs');
  const cli = join(workspace, 'node_modules/@playwright/test/cli.js');
  const playwright = new RunningProcess({
    name: 'playwright',
    command: [process.execPath, cli, 'test', '-c', config, ...process.argv.slice(2)],
    environment: { ...process.env, ...environment, CHROMIUM: browser },
    stdio: 'inherit',
    parentDeathSignal: 'TERM',
  });
  return (await playwright.exited) ?? 1;
}

if (chromium === undefined) {
  const name = 'browser tests of the console: Chromium is not installed (apt-get install chromium)';
  process.stdout.write(`skipped: ${name}\n`);
  writeSummary({ passed: 0, failed: 0, skipped: [name], failures: [] });
} else {
  process.exitCode = await run(chromium);
}
