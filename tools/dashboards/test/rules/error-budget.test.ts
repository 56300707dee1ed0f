import { describeWith } from '@engawa/testing';
import { answered, fast, silent } from './budget-series.ts';
import { of, play } from './promtool.ts';

const every = '1m';
const query = { component: 'query' };

/** A process that has run and was scraped since long before time 0. */
const process = { component: 'query', pod: 'query-a' };
const old = {
  [of('up', process)]: '1x400',
  [of('process_start_time_seconds', process)]: '-90000x400',
};

describeWith(['promtool'], fast, () => {
  const labels = { ...query, severity: 'critical' };

  it('fires a minute or two after all requests begin to fail, and ends soon after they stop to', () => {
    play({
      every,
      // 600 requests a minute; from 61 to 70 minutes they fail.
      series: {
        [answered(200)]: '0+600x60 36000x9 36600+600x60',
        [answered(503)]: '_x60 600+600x9 6000x60',
      },
      firing: [
        ...silent(fast, '1h'),
        { at: '1h3m', alert: fast, with: [labels] },
        { at: '1h10m', alert: fast, with: [labels] },
        ...silent(fast, '1h16m', '1h40m'),
      ],
    });
  });

  it('does not fire for operations that the DynamoDB API does not support', () => {
    const series = { ...old, [answered(200)]: '0+600x180', [answered(501)]: '0+600x180' };
    play({ every, series, firing: silent(fast, '30m', '1h30m', '3h') });
  });

  it('fires for an outage between two scrapes, whose series begins with all failures', () => {
    play({
      every,
      series: { ...old, [answered(200)]: '0+600x180', [answered(503)]: '_x70 1000x100' },
      firing: [
        ...silent(fast, '1h9m'),
        { at: '1h13m', alert: fast, with: [labels] },
        ...silent(fast, '1h17m'),
      ],
      values: [
        // Each failure once: a thousand in five minutes of 31, of ten requests a second and themselves.
        {
          at: '1h15m',
          expression: '100 * component:http_server_errors:ratio_rate30m',
          is: 5.1,
        },
      ],
    });
  });

  it.each([
    [10, [labels]],
    [9, []],
  ])('is about %i failures of little traffic, the first of their kind', (failures, expected) => {
    play({
      every,
      series: { ...old, [answered(200)]: '0+1x180', [answered(500)]: `_x70 ${failures}x100` },
      firing: [{ at: '1h12m', alert: fast, with: expected }],
    });
  });

  it.each([
    [150, [labels]],
    [140, []],
  ])('is about 14.4 times what the budget allows: %i of 10,000', (failed, expected) => {
    play({
      every,
      series: { [answered(200)]: `0+${10_000 - failed}x90`, [answered(500)]: `0+${failed}x90` },
      firing: [{ at: '1h20m', alert: fast, with: expected }],
    });
  });

  it('names the ratio of failed requests and the component', () => {
    play({
      every,
      series: { [answered(200)]: '0+190x120', [answered(500)]: '0+10x120' },
      annotated: [
        {
          at: '1h40m',
          alert: fast,
          labels,
          annotations: {
            summary: 'blue: requests to query fail',
            description:
              '5% of the requests to query were answered with 5xx in the last hour, and still are. At this rate the error budget of 30 days lasts for two days at most.',
            dashboard: 'engawa-overview',
          },
        },
      ],
    });
  });

  it('detects a failing component beside one with far more traffic', () => {
    play({
      every,
      series: {
        [answered(200)]: '0+60000x120',
        [answered(500, 'catalog-a', 'catalog')]: '0+5x120',
      },
      firing: [{ at: '30m', alert: fast, with: [{ ...labels, component: 'catalog' }] }],
    });
  });

  it.each([
    [
      'one failure among few requests',
      { [answered(200)]: '0+1x60 60x120', [answered(500)]: '0x30 1x150' },
    ],
    ['no traffic', { [answered(200)]: '500x180', [answered(500)]: '90x180' }],
    ['no requests ever', {}],
    [
      'client errors',
      {
        [answered(200)]: '0+60x180',
        [answered(404)]: '0+60x180',
        [answered(429)]: '0+60x180',
        [answered(499)]: '0+60x180',
      },
    ],
    ['errors within the budget', { [answered(200)]: '0+10000x180', [answered(500)]: '0+10x180' }],
    [
      'a rollout, which resets the counters',
      {
        [answered(200)]: '0+600x60 stale',
        [answered(500)]: '900x60 stale',
        [answered(200, 'query-b')]: '_x58 0+600x120',
        [answered(500, 'query-b')]: '_x58 0x120',
      },
    ],
    [
      'old failures that a new Prometheus scrapes',
      {
        [of('up', process)]: '_x29 1x200',
        [of('process_start_time_seconds', process)]: '_x29 -90000x200',
        [answered(200)]: '_x29 900000+600x200',
        [answered(500)]: '_x29 50000x200',
      },
    ],
    ['another release', { [answered(500).replace('"blue"', '"green"')]: '0+600x180' }],
  ])('does not fire for %s', (_, series) => {
    play({
      every,
      series,
      firing: silent(fast, '31m', '45m', '1h', '1h2m', '1h10m', '2h'),
    });
  });
});
