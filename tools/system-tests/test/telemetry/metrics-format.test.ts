import { spawnSync } from 'node:child_process';
import { describeWith } from '@engawa/testing';
import { Services } from '../services.ts';

const names = ['ingestion', 'registry', 'query', 'catalog'] as const;

describeWith(['promtool'], 'the metrics of', () => {
  let services: Services;
  beforeAll(async () => void (services = await Services.start()));
  afterAll(() => services.close());

  it.each(names)('%s pass `promtool check metrics`', async (name) => {
    // Most series exist only after the first request.
    await fetch(`${services.urls[name]}/openapi.json`);
    const answer = await fetch(`${services.metricsUrls[name]}/metrics`);
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: await answer.text(),
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
