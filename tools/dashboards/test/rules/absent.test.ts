import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';
import { wantedComponents } from '../../src/rules/wanted.ts';

const alert = 'EngawaAbsent';
const play = playerOf(alert, 'engawa-overview');
const up = (component: string, pod: string) => of('up', { component, pod, job: component });
const wanted = (component: string) => of(wantedComponents, { component });
const down = { component: 'query', severity: 'critical', cause: 'down' };
const missing = { component: 'query', severity: 'critical', cause: 'missing' };
const replica = { component: 'query', pod: 'query-a', severity: 'warning', cause: 'replica' };
const others = { [up('catalog', 'catalog-a')]: '1x200' };

describeWith(['promtool'], alert, () => {
  it('fires when no replica of a component answers', () => {
    play({
      series: {
        ...others,
        [up('query', 'query-a')]: '1 0x34 1x50',
        [up('query', 'query-b')]: '1 0x34 1x50',
      },
      firing: {
        '2m': [],
        '2m15s': [down],
        '8m': [down],
        '9m': [],
      },
      says: {
        at: '3m',
        labels: down,
        summary: 'blue: no replica of query answers',
        description:
          'Prometheus has discovered its pods, but none of them has answered a scrape for two minutes.',
      },
    });
  });

  it('fires while an enabled component has no pods', () => {
    play({
      every: '1m',
      series: {
        [up('catalog', 'catalog-a')]: '1x400',
        [up('query', 'query-a')]: '1x10 stale _x380 1x20',
        [wanted('catalog')]: '1x400',
        [wanted('query')]: '1x420',
        // Another release of the namespace, without pods.
        [`${wantedComponents}{namespace="homes", release="green", component="query"}`]: '1x420',
      },
      firing: {
        '12m': [],
        '14m': [missing],
        '6h20m': [missing],
        '6h33m': [],
      },
      says: {
        at: '20m',
        labels: missing,
        summary: 'blue: query has no pods',
        description:
          'The component is enabled in the release, and Prometheus has found no pods of it for two minutes.',
      },
    });
  });

  it('fires for one replica of several, as a warning', () => {
    play({
      series: { [up('query', 'query-a')]: '1 0x80', [up('query', 'query-b')]: '1x80' },
      firing: {
        '10m': [],
        '10m15s': [replica],
      },
      says: {
        at: '11m',
        labels: replica,
        summary: 'blue: query-a does not answer',
        description: 'The pod has not answered a scrape for ten minutes.',
      },
    });
  });

  it.each([
    [
      'a rolling update, pod by pod',
      {
        [wanted('query')]: '1x200',
        [up('query', 'query-a')]: '1x20 0 0 stale',
        [up('query', 'query-b')]: '_x18 0 0 1x60',
      },
    ],
    [
      'a single replica that is replaced',
      {
        [wanted('query')]: '1x200',
        [up('query', 'query-a')]: '1x20 0 stale',
        [up('query', 'query-b')]: '_x24 0 0 1x60',
      },
    ],
    ['a release without query', {}],
    ['a disabled component', { [up('query', 'query-a')]: '1x10 stale' }],
    [
      'a Prometheus that was away',
      { [wanted('query')]: '1x20 _x40 1x60', [up('query', 'query-a')]: '1x20 _x40 1x60' },
    ],
    ['targets of other software with our labels', { [of('up', { job: 'node' })]: '0x100' }],
  ])('does not fire for %s', (_, series) => {
    play({
      series: { ...others, [wanted('catalog')]: '1x200', ...series },
      firing: silentAt('5m15s', '6m', '7m', '8m', '15m15s', '16m'),
    });
  });
});
