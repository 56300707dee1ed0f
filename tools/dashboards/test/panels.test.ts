import { describeWith } from '@engawa/testing';
import { wantedComponents } from '../src/rules/wanted.ts';
import { queryOf } from './panel-query.ts';
import { of, play } from './rules/promtool.ts';

const up = (component: string, pod: string) => of('up', { component, pod });
const wanted = (component: string) => of(wantedComponents, { component });
const at = '9m';

/** One value, without its labels. */
function shows(dashboard: string, panel: string, is: number | []) {
  return { at, expression: queryOf(dashboard, panel), is };
}

describeWith(['promtool'], 'the overview', () => {
  const answered = (component: string, status: string) =>
    of('http_server_request_duration_seconds_count', { component, pod: `${component}-a`, status });

  it('shows none where there are no pods left, rather than those that there were', () => {
    const panel = 'Replicas up';
    play({
      series: {
        [up('query', 'query-a')]: '1x20 stale',
        [up('catalog', 'catalog-a')]: '1x60',
        [up('catalog', 'catalog-b')]: '1x60',
        [wanted('query')]: '1x60',
        [wanted('catalog')]: '1x60',
      },
      values: [
        {
          at,
          expression: queryOf('overview', panel),
          is: [
            { labels: '{component="query"}', value: 0 },
            { labels: '{component="catalog"}', value: 2 },
          ],
        },
      ],
    });
  });

  it('shows that nothing is stored, when nobody is there to store it', () => {
    const stored = of('engawa_ingest_readings_total', { component: 'ingestion', kind: 'climate' });
    play({
      series: { [stored]: '0+300x20 stale', [up('catalog', 'catalog-a')]: '1x60' },
      values: [
        { at: '5m', expression: queryOf('overview', 'Readings stored'), is: 20 },
        shows('overview', 'Readings stored', 0),
      ],
    });
  });

  it('counts a key as hot that is so for all processes together', () => {
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
        { ...shows('hot-partitions', 'Share of what a partition takes', 1.4), at: '5m' },
        { ...shows('hot-partitions', 'The hottest key of one process', 0.7), at: '5m' },
      ],
    });
  });

  it('shows failures that were over before they were scraped once', () => {
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
          expression: `round(${queryOf('overview', 'Answered with 5xx')}, 0.01)`,
          is: [
            { labels: of('', { component: 'query' }), value: 0.25 },
            { labels: of('', { component: 'catalog' }), value: 0 },
          ],
        },
      ],
    });
  });

  it('shows how long requests take by all replicas, not by the mean of each', () => {
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
        { at, expression: queryOf('overview', 'Time to answer', 'A'), is: 0.05 },
        // The 99th of 100 is the eighth of the nine between 0.1 and 1.
        { at, expression: queryOf('overview', 'Time to answer', 'B'), is: 0.9 },
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

  it('is in dollars of all processes and indexes, at the prices of AWS', () => {
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
        { at, expression: `1000 * ${queryOf('table-cost', 'On-demand, an hour')}`, is: 315 },
        shows('table-cost', 'On-demand, a day', 7.56),
        shows('table-cost', 'On-demand, a month', 229.95),
        // 100 / 0.7 write units for 0.00065 each an hour, 200 / 0.7 read units for 0.00013, 730 hours.
        shows('table-cost', 'Provisioned, a month', 94.9),
        // (80 + 20 + 200) / 0.7
        shows('table-cost', 'Units to provision', 428.57),
      ],
    });
  });

  it('is of what a reading takes in ingestion, and a request elsewhere', () => {
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

  it('is of no reading and of no request where there are none, not without end', () => {
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
