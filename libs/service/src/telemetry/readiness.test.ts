import { Registry } from 'prom-client';
import { registerReadinessMetrics } from './readiness-metrics.ts';
import { Readiness } from './readiness.ts';

/** A requirement that is unmet until the test changes it. */
function unmet() {
  return { reason: 'it is away' as string | undefined };
}

it('blocks on a dependency shared by replicas until it was met once, and again only in another process', () => {
  const table = unmet();
  const readiness = new Readiness(() => 0);
  readiness.require('table', () => table.reason);
  expect(readiness.unavailableReasons()).toEqual([
    { name: 'table', reason: 'it is away', blocks: true },
  ]);
  table.reason = undefined;
  expect(readiness.unavailableReasons()).toEqual([]);
  table.reason = 'it is away again';
  expect(readiness.unavailableReasons()).toEqual([
    { name: 'table', reason: 'it is away again', blocks: false },
  ]);
});

it('blocks always, never, or for a time from its registration', () => {
  let nowMs = 5000;
  const readiness = new Readiness(() => nowMs);
  const away = () => 'it is away';
  readiness.require('process', away, 'always');
  readiness.require('progress', away, 'never');
  readiness.require('mqtt', away, { untilMet: true, forMs: 1000 });
  const blocking = () =>
    readiness
      .unavailableReasons()
      .filter(({ blocks }) => blocks)
      .map(({ name }) => name);
  expect(blocking()).toEqual(['process', 'mqtt']);
  nowMs = 5999;
  expect(blocking()).toEqual(['process', 'mqtt']);
  nowMs = 6000;
  expect(blocking()).toEqual(['process']);
});

it('is exported as metrics, evaluated at each scrape', async () => {
  const table = unmet();
  const readiness = new Readiness();
  readiness.require('table', () => table.reason);
  readiness.require('progress', () => 'it stands still', 'never');
  const registry = new Registry();
  registerReadinessMetrics(readiness, registry);
  const samples = async () =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('engawa_'));
  expect(await samples()).toEqual([
    'engawa_ready 0',
    'engawa_requirement_met{requirement="table"} 0',
    'engawa_requirement_met{requirement="progress"} 0',
  ]);
  table.reason = undefined;
  expect(await samples()).toEqual([
    'engawa_ready 1',
    'engawa_requirement_met{requirement="table"} 1',
    'engawa_requirement_met{requirement="progress"} 0',
  ]);
});
