import { metricRows } from '@engawa/reference';
import { describeWith, openBeforeAll } from '@engawa/testing';
import { dashboards } from '../src/dashboards/index.ts';
import { askInfinity, isShown } from '../src/live/ask-infinity.ts';
import { askTarget, finiteValues, nameOf } from '../src/live/ask-panel.ts';
import { readModel } from '../src/live/dashboard-model.ts';
import { FilledVariables } from '../src/live/grafana-variables.ts';
import { hotKey } from '../src/live/load/messages.ts';
import { recordingRules } from '../src/rules/index.ts';
import { LiveSession } from './live-session.ts';
import type { VariableModel } from '../src/live/dashboard-model.ts';
import type { Span } from '../src/live/prometheus.ts';

/** `$__rate_interval` in seconds: long enough for a rate, short enough to show the end of a peak. */
const rateSeconds = 10;

/** A device of the simulated homes. */
const chosen = { device: 'climate-tanaka-living', field: 'temperature' };
/** The panel of a counter, and a device that has one: the temperature falls too often. */
const ofCounter = 'Engawa: device data: $field: increase per day (A)';
const meter = { device: 'meter-tanaka', field: 'energyImport' };
const day = 86_400;

const generated = new Set(metricRows().map(({ name }) => name));

const asked = dashboards().flatMap(({ model }) => {
  const dashboard = readModel(model);
  // A generated panel may show a metric that the session does not raise.
  const written = dashboard.panels.filter(({ title }) => !generated.has(title));
  return written.flatMap(({ title, type, targets = [] }) =>
    targets.map((target) => ({
      name: `${dashboard.title}: ${title} (${target.refId})`,
      type,
      variables: dashboard.templating.list,
      target,
    })),
  );
});
const ofPrometheus = asked.filter(({ target }) => target.expr !== undefined);
const ofTheApi = asked.filter(({ target }) => target.url !== undefined);

/** Counts of faults that this session does not have: 0 shows that the series exist. */
const alwaysZero = new Set([
  'Engawa: ingestion: Unaccounted messages (A)',
  'Engawa: ingestion: MQTT delivery check failures (A)',
  'Engawa: ingestion: Takeovers (A)',
  'Engawa: ingestion: Broker limits (A)',
  'Engawa: overview: Restarts (A)',
  'Engawa: ingestion: Sparkplug rebirths requested (A)',
  'Engawa: ingestion: Listeners (B)',
  'Engawa: ingestion: Live readings (B)',
  'Engawa: overview: Search timeouts (A)',
  'Engawa: overview: Expired entities deleted (A)',
  'Engawa: overview: Rejected tokens (A)',
  'Engawa: overview: Broken invariants (A)',
]);

/** The broker is away for a moment, and a scrape may or may not fall into it. */
const seenByChance = 'Engawa: overview: Unmet requirements (A)';

/** Without a container the limit is the memory of the machine, which no process comes near. */
const onlyInContainers = 'Engawa: overview: Memory (B)';

/** Averages of quarters of an hour: without a value in a session that spans no beginning of one. */
const quarterly = new Set(['component:http_server_errors:ratio_rate30d']);

describeWith(['prometheus'], 'on a running stack', () => {
  const session = openBeforeAll(() => LiveSession.play());

  it('has a query for every panel of either sort', () => {
    expect(ofPrometheus.length).toBeGreaterThan(50);
    expect(ofTheApi.length).toBeGreaterThan(5);
    expect(ofPrometheus.length + ofTheApi.length).toBe(asked.length);
  });

  function fill(variables: VariableModel[], span: Span, of = chosen): Promise<FilledVariables> {
    const { prometheus, urls } = session.stack;
    const options = { prometheus, queryApi: urls.query, span, rateSeconds, chosen: of };
    return FilledVariables.of(variables, options);
  }

  describe('queries of Prometheus return data', () => {
    it.each(ofPrometheus)('$name', async ({ name, variables: list, target }) => {
      const { span, stack } = session;
      const { prometheus } = stack;
      const variables = await fill(list, span);
      const series = await askTarget(target, { prometheus, variables, span }, true);
      const values = finiteValues(series);
      // A division by 0: Grafana's axis would be infinite.
      const drawn = series.flatMap((one) => one.values.map(([, value]) => value));
      expect(drawn.filter((value) => value.includes('Inf'))).toEqual([]);
      expect(values.length > 0).toBe(name !== onlyInContainers);
      // A query that falls back to 0 has to show the events of the session.
      const isSome = values.some((value) => value !== 0);
      if (name !== seenByChance && name !== onlyInContainers)
        expect(isSome).toBe(!alwaysZero.has(name));
      for (const one of series) expect(nameOf(target, one)).not.toBe('');
    });
  });

  describe('a stat shows the current value', () => {
    const stats = ofPrometheus.filter(({ type }) => type === 'stat');

    // Otherwise a stat would show an old value as if it were current.
    it.each(stats)('$name', async ({ variables: list, target }) => {
      const { span, stack } = session;
      const { prometheus } = stack;
      const variables = await fill(list, span);
      const series = await askTarget(target, { prometheus, variables, span });
      const latest = series.flatMap(({ values }) => values.map(([time]) => time));
      expect(Math.max(...latest)).toBeGreaterThan(span.to - 2);
    });
  });

  describe('requests to the query API return data', () => {
    it.each(ofTheApi)('$name', async ({ name, variables: list, target }) => {
      const { to } = session.span;
      const span = { from: to - day, to, step: 60 };
      const variables = await fill(list, span, name === ofCounter ? meter : chosen);
      const source = {
        baseUrl: session.stack.urls.query,
        fill: (text: string) => variables.fill(text),
      };
      // No key is hot any more when the session ends.
      const isOfHotKeys = target.url === '/v1/hot-partitions/merged';
      const rows = isOfHotKeys ? session.explained : await askInfinity(target, source);
      expect(rows.length).toBeGreaterThan(0);
      for (const { text, type } of target.columns ?? []) {
        expect({ text, isShown: rows.some((row) => isShown(row[text], type)) }).toEqual({
          text,
          isShown: true,
        });
      }
    });
  });

  it('the choice of a field has the fields of the device', async () => {
    const { prometheus, urls } = session.stack;
    const { device } = chosen;
    const list = readModel(dashboards().at(-1)?.model).templating.list;
    const options = { prometheus, queryApi: urls.query, span: session.span, rateSeconds };
    const variables = await FilledVariables.of(list, { ...options, chosen: { device } });
    expect(['"temperature"', '"humidity"', '"battery"']).toContain(variables.fill('$field'));
  });

  it.each(recordingRules().map(({ record }) => record))('the rule %s records', async (record) => {
    const values = finiteValues(await session.stack.prometheus.range(record, session.span));
    if (!quarterly.has(record)) expect(values.length).toBeGreaterThan(0);
  });

  it('the alert names the hot key', () => {
    expect(session.fired).toContainEqual(
      expect.objectContaining({
        labels: expect.objectContaining({
          alertname: 'EngawaHotPartition',
          namespace: 'homes',
          release: 'engawa',
          component: 'ingestion',
          index: 'table',
          unit: 'write',
          partition: hotKey,
        }) as unknown,
        annotations: expect.objectContaining({
          summary: expect.stringContaining(hotKey) as unknown,
        }) as unknown,
      }),
    );
  });
});
