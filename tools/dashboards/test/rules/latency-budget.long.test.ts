import { describeWith } from '@engawa/testing';
import { of, play } from './promtool.ts';

const fast = 'EngawaLatencyBudgetFastBurn';
const slow = 'EngawaLatencyBudgetSlowBurn';
const every = '1m';
const metric = 'http_server_request_duration_seconds';
const labels = { component: 'query', pod: 'query-a', method: 'GET', route: '/', status: '200' };
const count = (more = {}) => of(`${metric}_count`, { ...labels, ...more });
const inTime = (more = {}) => of(`${metric}_bucket`, { ...labels, le: '1', ...more });
const critical = { component: 'query', severity: 'critical' };
const firing = (window: string) => ({ component: 'query', severity: 'warning', window });

describeWith(['promtool'], 'the latency budget', () => {
  it('fires when a seventh of the requests of an hour were slow, and ends soon after', () => {
    play({
      every,
      // 600 requests a minute; from 61 to 80 minutes they take longer than a second.
      series: { [count()]: '0+600x130', [inTime()]: '0+600x60 36000x19 36600+600x50' },
      firing: [
        { at: '1h4m', alert: fast, with: [] },
        { at: '1h14m', alert: fast, with: [critical] },
        { at: '1h20m', alert: fast, with: [critical] },
        { at: '1h27m', alert: fast, with: [] },
      ],
    });
  });

  it.each([
    ['14.4 times', 150, [firing('6h'), firing('1d'), firing('3d')]],
    ['six times', 62, [firing('6h'), firing('1d'), firing('3d')]],
    ['three times', 31, [firing('1d'), firing('3d')]],
    ['all of it', 11, [firing('3d')]],
    ['less than is allowed', 9, []],
  ])('is near the share that the objective allows: %s', (_, tooSlow, expected) => {
    play({
      every: '2m',
      series: { [count()]: '0+1000x200', [inTime()]: `0+${1000 - tooSlow}x200` },
      firing: [
        { at: '6h30m', alert: slow, with: expected },
        { at: '6h30m', alert: fast, with: tooSlow > 144 ? [critical] : [] },
      ],
    });
  });

  it('names the ratio of slow requests and the component', () => {
    play({
      every,
      series: { [count()]: '0+200x120', [inTime()]: '0+100x120' },
      annotated: [critical].map((its) => ({
        at: '1h40m',
        alert: fast,
        labels: its,
        annotations: {
          summary: 'blue: requests to query are slow',
          description:
            '50% of the requests to query took longer than 1 s in the last hour, and still do. At this rate the latency budget of 30 days lasts for two days at most.',
          dashboard: 'engawa-overview',
        },
      })),
    });
  });

  it.each([
    ['fast requests', { [count()]: '0+600x180', [inTime()]: '0+600x180' }],
    [
      'bounds as Prometheus 3 writes them',
      { [count()]: '0+600x180', [inTime({ le: '1.0' })]: '0+600x180' },
    ],
    [
      'failures, and clients that hung up',
      {
        [count()]: '0+600x180',
        [inTime()]: '0+600x180',
        [count({ status: '503' })]: '0+600x180',
        [count({ status: '499' })]: '0+600x180',
      },
    ],
    ['nine slow requests of little traffic', { [count()]: '0x60 9x120', [inTime()]: '0x180' }],
    ['no requests', {}],
    ['another release', { [count({ release: 'green' })]: '0+600x180' }],
  ])('does not fire for %s', (_, series) => {
    play({
      every,
      series,
      firing: ['31m', '1h', '1h5m', '2h'].flatMap((at) =>
        [fast, slow].map((alert) => ({ at, alert, with: [] })),
      ),
    });
  });
});
