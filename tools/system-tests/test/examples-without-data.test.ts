import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeWith } from '@engawa/testing';
import { ExampleHouse } from './example-house.ts';

const examples = resolve(__dirname, '../../../examples');

/** Scripts that need data, with the command that loads it. */
const needed: Record<string, string> = {
  'correct-meter.sh': 'npm start',
  'devices-by-label.sh': 'npm start',
  'doors.sh': 'npm start',
  'export-readings.sh': 'npm start',
  'music.ts': 'npm run catalog:load music',
  'power-by-hour.sh': 'npm start',
  'room-temperature.sh': 'npm start',
  'search-with-filters.sh': 'npm run catalog:load music',
  'silent-sensors.sh': 'npm start',
  'songs-of-an-artist.sh': 'npm run catalog:load music',
  'temperature-chart.sh': 'npm start',
};

/** Arguments of scripts that require some. */
const required: Record<string, string[]> = {
  'correct-meter.sh': ['meter', 'energy', '2026-11-20T08:30:00Z', '2026-11-21T08:30:00Z'],
  'export-readings.sh': ['/dev/null'],
  'import-workbench-model.sh': [
    resolve(__dirname, '../../../apps/catalog/test/fixtures/workbench-clinic.json'),
    'Visit',
    'byDoctor',
  ],
};

describeWith(['curl', 'jq'], 'without any data', () => {
  let house: ExampleHouse;
  beforeAll(async () => {
    house = await ExampleHouse.start();
  });
  afterAll(() => house.close());

  const scripts = readdirSync(examples).filter((name) => name !== 'README.md');
  const [dependent, complete] = [true, false].map((is) =>
    scripts.filter((one) => one in needed === is),
  );

  it.each(dependent ?? [])('%s says in one line what to load first', async (script) => {
    const failure: unknown = await house
      .play(script, required[script] ?? [])
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    const { stderr } = failure as { stderr: string };
    expect(stderr.split('\n')).toEqual([expect.stringContaining(String(needed[script])), '']);
  });

  it.each(complete ?? [])('%s loads what it needs', async (script) => {
    const { stdout } = await house.play(script, required[script] ?? []);
    expect(stdout).not.toBe('');
  });
});
