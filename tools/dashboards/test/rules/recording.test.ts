import { describeWith } from '@engawa/testing';
import { of, play } from './promtool.ts';

const ingestion = (pod: string, labels = {}) => ({ component: 'ingestion', pod, ...labels });
const messages = (pod: string, outcome: string) =>
  of('engawa_ingest_messages_total', ingestion(pod, { decoder: 'engawa', outcome }));
const readings = of('engawa_ingest_readings_total', ingestion('a', { kind: 'climate' }));
const units = (component: string, unit: string) =>
  of('engawa_table_consumed_units_total', {
    component,
    pod: 'a',
    operation: 'x',
    index: 'table',
    unit,
  });
const attempts = (outcome: string) =>
  of('engawa_table_attempts_total', ingestion('a', { operation: 'x', index: 'table', outcome }));
const throttled = of(
  'engawa_table_throttled_attempts_total',
  ingestion('a', { operation: 'x', index: 'table', scope: 'table', reason: 'unprocessed' }),
);
const answered = (status: string) =>
  of('http_server_request_duration_seconds_count', {
    component: 'query',
    status,
    route: '/',
    method: 'GET',
  });

describeWith(['promtool'], 'recording rules', () => {
  it('count messages by stage', () => {
    play({
      series: {
        [of('engawa_ingest_received_messages_total', ingestion('a'))]: '0+150x40',
        [of('engawa_ingest_received_messages_total', ingestion('b'))]: '0+300x40',
        [messages('a', 'stored')]: '0+135x40',
        [messages('b', 'stored')]: '0+300x40',
        [messages('a', 'dead_lettered')]: '0+15x40',
        [of('engawa_ingest_unacknowledged_messages', ingestion('a'))]: '7x40',
        [of('engawa_ingest_unacknowledged_messages', ingestion('b'))]: '5x40',
        [readings]: '0+1500x40',
      },
      values: [
        { at: '9m', expression: 'release:engawa_ingest_received_messages:rate5m', is: 30 },
        {
          at: '9m',
          expression: 'release_outcome:engawa_ingest_messages:rate5m',
          is: ['stored', 'dead_lettered'].map((outcome, index) => ({
            labels: of('release_outcome:engawa_ingest_messages:rate5m', { outcome }),
            value: [29, 1][index] ?? 0,
          })),
        },
        { at: '9m', expression: 'release:engawa_ingest_unacknowledged_messages:sum', is: 12 },
        { at: '9m', expression: 'release_kind:engawa_ingest_readings:rate5m', is: 100 },
      ],
    });
  });

  it('give the write units per reading', () => {
    play({
      series: {
        [readings]: '0+300x40',
        [units('ingestion', 'write')]: '0+315x40',
        [units('ingestion', 'read')]: '0+9000x40',
        [units('registry', 'write')]: '0+9000x40',
      },
      values: [
        {
          at: '9m',
          expression: 'release:engawa_table_write_units_per_reading:ratio_rate5m',
          is: 1.05,
        },
      ],
    });
  });

  it('give the ratio of throttled attempts: 0 without any throttle', () => {
    const share = 'component:engawa_table_throttled_attempts:ratio_rate5m';
    play({
      series: { [attempts('ok')]: '0+60x80', [throttled]: '_x40 0+20x40' },
      values: [
        { at: '9m', expression: share, is: 0 },
        { at: '19m', expression: share, is: 0.33 },
      ],
    });
  });

  it('are empty where the divisor is zero', () => {
    play({
      series: {
        [readings]: '300x40',
        [units('ingestion', 'write')]: '315x40',
        [attempts('ok')]: '60x40',
        [answered('200')]: '60x40',
      },
      values: [
        'release:engawa_table_write_units_per_reading:ratio_rate5m',
        'component:engawa_table_throttled_attempts:ratio_rate5m',
        'component:http_server_errors:ratio_rate5m',
        'component:http_server_errors:ratio_rate1h',
        'component:http_server_error_budget:left30d',
      ].map((expression) => ({ at: '9m', expression, is: [] })),
    });
  });

  it('forget a failure after 30 days, and not before', () => {
    const left = 'component:http_server_error_budget:left30d';
    const rate = (what: string) => of(`component:http_server_${what}:rate15m`, { component: 'q' });
    play({
      every: '1h',
      sampledEvery: '15m',
      // Ten requests a second; on the first day 1 % of them fail.
      series: { [rate('requests')]: '10x3100', [rate('errors')]: '0.1x95 0x3000' },
      values: [
        // 1 % during 24 hours of 720, also after 600 hours.
        { at: '599h', expression: left, is: 0.67 },
        { at: '719h', expression: left, is: 0.67 },
        { at: '750h', expression: left, is: 1 },
      ],
    });
  });

  it('count failures against the budget within a quarter of an hour, also after a full hour', () => {
    const left = 'component:http_server_error_budget:left30d';
    play({
      every: '1m',
      // Ten requests a second; from 2 h 15 min on half of them fail.
      series: {
        [answered('200')]: '0+600x135 81300+300x60',
        [answered('500')]: '0x135 300+300x60',
      },
      values: [
        { at: '2h14m', expression: left, is: 1 },
        // Half an hour of 720 at 500 times the allowed ratio, less the five minutes in which the rate rises.
        { at: '2h50m', expression: left, is: 0.68 },
      ],
    });
  });

  it('weigh failed requests by traffic, and keep account of the budget from the start', () => {
    const left = 'component:http_server_error_budget:left30d';
    play({
      every: '1m',
      // An hour with 60 requests a minute, one in a hundred fails; then one with ten times as many,
      // and none fails; then one without.
      series: {
        [answered('200')]: '0+500x60 36000+6000x59 390000x70',
        [answered('500')]: '0+6x60 360x130',
        [answered('404')]: '0+94x60 5640x130',
      },
      values: [
        { at: '30m', expression: 'component:http_server_requests:rate5m', is: 10 },
        { at: '30m', expression: '100 * component:http_server_errors:ratio_rate5m', is: 1 },
        // Ten times what is allowed for, during one hour of 720.
        { at: '50m', expression: left, is: 0.99 },
        { at: '1h50m', expression: '100 * component:http_server_errors:ratio_rate30m', is: 0 },
        { at: '2h10m', expression: '1000 * component:http_server_errors:ratio_rate6h', is: 0.91 },
        { at: '3h1m', expression: `round(${left}, 0.1)`, is: 1 },
      ],
    });
  });
});
