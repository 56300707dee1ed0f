import { openBeforeAll } from '@engawa/testing';
import { askInfinity } from '../src/live/ask-infinity.ts';
import { FilledVariables } from '../src/live/grafana-variables.ts';
import { modelOf } from './panel-query.ts';
import { startQuery } from './query-service.ts';
import type { TargetModel } from '../src/live/dashboard-model.ts';
import type { SelectedRow } from '../src/live/json-selection.ts';

const device = 'meter-1';
const minute = 60_000;
const day = 1440 * minute;
const midnight = Date.parse('2026-11-10T00:00:00Z');
const week = { from: midnight, to: midnight + 7 * day };

/** A reading each five minutes; the names need quotes in a list of fields. */
const fieldNames = ['temperature', 'power, total', 'say "on", or `off`'];
const readings = Array.from({ length: (7 * day) / (5 * minute) }, (_, index) => ({
  time: midnight + index * 5 * minute,
  fields: Object.fromEntries(fieldNames.map((name) => [name, index])),
}));

const { panels, templating } = modelOf('device-data');
const overTime = panels.filter(({ type }) => type === 'timeseries');

/** With few units, the service returns the week in several pages. */
describe.each(['4000', '4'])('where a page may cost %s units, device data', (units) => {
  const service = openBeforeAll(() => startQuery(device, readings, { REQUEST_UNIT_LIMIT: units }));

  interface Asked {
    from: number;
    to: number;
    timeZone?: string;
    chosen?: Record<string, string>;
  }

  async function rowsOf(target: TargetModel | undefined, asked: Asked): Promise<SelectedRow[]> {
    if (target === undefined) throw new Error('the panel has no query');
    const { from, to, timeZone = 'utc', chosen = {} } = asked;
    const variables = await FilledVariables.of(templating.list, {
      queryApi: service.url,
      span: { from: from / 1000, to: to / 1000, step: 60 },
      rateSeconds: 60,
      timeZone,
      chosen: { device, ...chosen },
    });
    return askInfinity(target, {
      baseUrl: service.url,
      fill: (text) => variables.fill(text),
    });
  }

  const timesOf = (rows: readonly SelectedRow[]) =>
    rows.map(({ time }) => Date.parse(String(time))).sort((one, other) => one - other);

  it.each(overTime)(
    'shows a week from its beginning to its end: $title',
    async ({ targets = [] }) => {
      for (const points of ['30', '1000']) {
        const times = timesOf(await rowsOf(targets[0], { ...week, chosen: { points } }));
        const width = (times[1] ?? 0) - (times[0] ?? 0);
        const expected = Array.from({ length: (7 * day) / width }, (_, index) => index * width);
        expect(times.map((time) => time - week.from)).toEqual(expected);
      }
    },
  );

  const byDay = overTime.filter(({ targets }) => /points\}|P1D/.test(JSON.stringify(targets)));

  it.each(byDay)('begins days at midnight of the time zone: $title', async ({ targets = [] }) => {
    const asked = { ...week, timeZone: 'Asia/Tokyo', chosen: { points: '10' } };
    const [, second] = timesOf(await rowsOf(targets[0], asked));
    expect(second).toBe(midnight + 15 * 60 * minute);
  });

  it('offers each field by its name', async () => {
    const variable = templating.list.find(({ name }) => name === 'field');
    const { infinityQuery } = variable?.query as { infinityQuery: TargetModel };
    const rows = await rowsOf(infinityQuery, week);
    expect(rows.map((row) => row['__text']).sort()).toEqual([...fieldNames].sort());
  });

  it.each(fieldNames)('shows the field %s, as it is chosen', async (name) => {
    const variable = templating.list.find((one) => one.name === 'field');
    const { infinityQuery } = variable?.query as { infinityQuery: TargetModel };
    const choice = (await rowsOf(infinityQuery, week)).find((row) => row['__text'] === name);
    for (const { targets = [] } of overTime) {
      const rows = await rowsOf(targets[0], {
        ...week,
        chosen: { field: String(choice?.['__value']) },
      });
      const { time, ...values } = rows[1] ?? {};
      expect(time).toBeDefined();
      expect(Object.values(values).length).toBeGreaterThan(0);
      expect(Object.values(values).every((value) => typeof value === 'number')).toBe(true);
    }
  });
});
