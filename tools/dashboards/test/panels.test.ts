import { describeWith } from '@engawa/testing';
import { dashboards } from '../src/dashboards/index.ts';
import { wantedReplicas } from '../src/rules/wanted.ts';
import { queryOf } from './panel-query.ts';
import { of, play } from './rules/promtool.ts';

const ready = (component: string, pod: string) => of('engawa_ready', { component, pod });
const up = (component: string, pod: string) => of('up', { component, pod });
const wanted = (component: string) => of(wantedReplicas, { component });
const at = '9m';

/** One value, without its labels. */
function shows(dashboard: string, panel: string, is: number | []) {
  return { at, expression: queryOf(dashboard, panel), is };
}

describeWith(['promtool'], 'the overview', () => {
  const answered = (component: string, status: string) =>
    of('http_server_request_duration_seconds_count', { component, pod: `${component}-a`, status });

  it('shows ready and desired replicas, and 0 where no pods are left', () => {
    const panel = 'Replicas ready';
    play({
      series: {
        [ready('query', 'query-a')]: '1x20 stale',
        [ready('catalog', 'catalog-a')]: '1x60',
        [ready('catalog', 'catalog-b')]: '0x60',
        [ready('registry', 'registry-a')]: '1x60',
        [wanted('query')]: '1x60',
        [wanted('catalog')]: '2x60',
      },
      values: [
        {
          at,
          expression: queryOf('overview', panel),
          is: [
            { labels: '{component="query", wanted="1"}', value: 0 },
            { labels: '{component="catalog", wanted="2"}', value: 1 },
            // Without the chart's rules.
            { labels: '{component="registry", wanted="?"}', value: 1 },
          ],
        },
      ],
    });
  });

  it('shows the summary of each firing alert, and how long it has been active', () => {
    const absent = {
      ...{ alertname: 'EngawaAbsent', severity: 'critical', cause: 'down' },
      component: 'query',
    };
    const labels = { ...absent, summary: 'EngawaAbsent critical down ' };
    play({
      series: {
        [of('ALERTS', { ...absent, alertstate: 'firing' })]: '1x60',
        [of('ALERTS', { alertname: 'EngawaSessionLost', alertstate: 'pending' })]: '1x60',
        [of('ALERTS_FOR_STATE', absent)]: '60x60',
        [of('ALERTS_FOR_STATE', { alertname: 'EngawaSessionLost' })]: '60x60',
      },
      values: [
        {
          at,
          expression: queryOf('overview', 'Firing alerts'),
          is: [{ labels: of('', labels), value: 480 }],
        },
      ],
    });
    const found = dashboards().find(({ name }) => name === 'overview');
    const text = JSON.stringify(found?.model);
    expect(text).toContain(
      '"EngawaAbsent critical down ":{"text":"no replica of the service answers"',
    );
    // Rules of one name have their own summaries.
    expect(text).toContain('"EngawaHotPartition warning  ":{"text":"DynamoDB throttles a');
    expect(text).toContain('"EngawaHotPartition critical  ":{"text":"DynamoDB has throttled a');
    expect(text).toContain('${runbooks}/${__value.raw}.md');
  });

  it('shows 0 stored readings without an ingestion replica', () => {
    const stored = of('engawa_ingest_readings_total', { component: 'ingestion', kind: 'climate' });
    play({
      series: { [stored]: '0+300x20 stale', [up('catalog', 'catalog-a')]: '1x60' },
      values: [
        { at: '5m', expression: queryOf('overview', 'Readings stored'), is: 20 },
        shows('overview', 'Readings stored', 0),
      ],
    });
  });

  it('counts a key as hot by the sum of all processes', () => {
    const share = (pod: string, partition: string) =>
      of('engawa_hot_partition_utilization_ratio', {
        ...{ component: 'ingestion', pod, index: 'table', unit: 'write', partition },
      });
    play({
      series: {
        [share('a', 'DEVICE#wild#0')]: '0.4x60',
        [share('b', 'DEVICE#wild#0')]: '0.4x60',
        [share('a', 'DEVICE#calm#0')]: '0.3x60',
        [share('b', 'DEVICE#calm#0')]: '0.3x60',
      },
      values: [
        shows('overview', 'Hot partitions', 1),
        { ...shows('hot-partitions', 'Partition utilization by key', 1.4), at: '5m' },
        { ...shows('hot-partitions', 'Highest utilization by a single process', 0.7), at: '5m' },
      ],
    });
  });

  it('draws the same ten keys at each step: those with the highest peaks', () => {
    const share = (name: string) =>
      of('engawa_hot_partition_utilization_ratio', {
        ...{ component: 'ingestion', pod: 'a', index: 'table', unit: 'write', partition: name },
      });
    const steady: Record<string, string> = {};
    for (let key = 1; key <= 10; key++) steady[share(`steady-${key}`)] = `0.${key}x60`;
    const shares = queryOf('hot-partitions', 'Partition utilization by key');
    play({
      // Cold at the end of the time range, but the hottest of all before.
      series: { ...steady, [share('peak')]: '0.01x10 0.99x4 0.01x60' },
      values: [
        { at, expression: `count(${shares})`, is: 10 },
        {
          at,
          expression: `count by (component, partition) ((${shares}) < 0.05)`,
          is: [{ labels: '{component="ingestion", partition="peak"}', value: 1 }],
        },
      ],
    });
  });

  it('shows failures that began and ended between two scrapes', () => {
    play({
      series: {
        [up('query', 'query-a')]: '1x60',
        [of('process_start_time_seconds', { component: 'query', pod: 'query-a' })]: '-9000x60',
        [answered('query', '200')]: '0+150x60',
        [answered('query', '503')]: '_x30 1000x60',
        [answered('catalog', '200')]: '0+150x60',
      },
      values: [
        {
          at,
          expression: `round(${queryOf('overview', 'Error rate')}, 0.01)`,
          is: [
            { labels: of('', { component: 'query' }), value: 0.25 },
            { labels: of('', { component: 'catalog' }), value: 0 },
          ],
        },
      ],
    });
  });

  it('computes percentiles over all replicas, not as a mean of each', () => {
    const bucket = (pod: string, le: string) =>
      of('http_server_request_duration_seconds_bucket', { component: 'query', pod, le });
    play({
      series: {
        // Of ten requests of one, one is quick; of ninety of the other, all are.
        [bucket('a', '0.1')]: '0+1x60',
        [bucket('a', '1')]: '0+10x60',
        [bucket('a', '+Inf')]: '0+10x60',
        [bucket('b', '0.1')]: '0+90x60',
        [bucket('b', '1')]: '0+90x60',
        [bucket('b', '+Inf')]: '0+90x60',
      },
      values: [
        { at, expression: queryOf('overview', 'Request duration (p50, p99)', 'A'), is: 0.05 },
        // The 99th of 100 is the eighth of the nine between 0.1 and 1.
        { at, expression: queryOf('overview', 'Request duration (p50, p99)', 'B'), is: 0.9 },
      ],
    });
  });
});

describeWith(['promtool'], 'the table cost', () => {
  const units = (component: string, pod: string, index: string, unit: string) =>
    of('engawa_table_consumed_units_total', { component, pod, index, unit, operation: 'x' });
  const readings = of('engawa_ingest_readings_total', { component: 'ingestion', kind: 'climate' });
  const requests = (component: string) =>
    of('http_server_request_duration_seconds_count', { component, pod: 'a', status: '200' });

  it('sums all processes and indexes at the prices of AWS', () => {
    play({
      // 100 write units a second: 60 and 20 of the table, 20 of an index. 200 read units.
      series: {
        [units('ingestion', 'a', 'table', 'write')]: '0+900x60',
        [units('ingestion', 'b', 'table', 'write')]: '0+300x60',
        [units('ingestion', 'b', 'gsi1', 'write')]: '0+300x60',
        [units('query', 'a', 'table', 'read')]: '0+3000x60',
      },
      values: [
        // 0.36 million writes for 0.625 each million, 0.72 million reads for 0.125.
        { at, expression: `1000 * ${queryOf('table-cost', 'On-demand cost per hour')}`, is: 315 },
        shows('table-cost', 'On-demand cost per day', 7.56),
        shows('table-cost', 'On-demand cost per month', 229.95),
        // 100 / 0.7 write units for 0.00065 each an hour, 200 / 0.7 read units for 0.00013, 730 hours.
        shows('table-cost', 'Provisioned cost per month', 94.9),
        // (80 + 20 + 200) / 0.7
        shows('table-cost', 'Units to provision', 428.57),
      ],
    });
  });

  it('is per reading in ingestion, and per request elsewhere', () => {
    play({
      series: {
        [readings]: '0+300x60',
        [units('ingestion', 'a', 'table', 'write')]: '0+150x60',
        [units('ingestion', 'a', 'table', 'read')]: '0+9000x60',
        [units('registry', 'a', 'table', 'write')]: '0+9000x60',
        [units('registry', 'a', 'table', 'read')]: '0+90x60',
        [requests('registry')]: '0+30x60',
        [requests('ingestion')]: '0+9000x60',
      },
      values: [
        shows('table-cost', 'Write units per reading', 0.5),
        shows('table-cost', 'Read units per request', 3),
      ],
    });
  });

  it('has no ratio without readings or requests', () => {
    play({
      series: {
        [readings]: '300x60',
        [units('ingestion', 'a', 'table', 'write')]: '0+150x60',
        [units('registry', 'a', 'table', 'read')]: '0+90x60',
        [requests('registry')]: '30x60',
      },
      values: [
        shows('table-cost', 'Write units per reading', []),
        shows('table-cost', 'Read units per request', []),
      ],
    });
  });
});
