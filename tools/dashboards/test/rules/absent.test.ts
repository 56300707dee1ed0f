import { describeWith } from '@engawa/testing';
import { of, play } from './promtool.ts';
import { wantedComponents } from '../../src/rules/wanted.ts';

const alert = 'EngawaAbsent';
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
      firing: [
        { at: '2m', alert, with: [] },
        { at: '2m15s', alert, with: [down] },
        { at: '8m', alert, with: [down] },
        { at: '9m', alert, with: [] },
      ],
      annotated: [
        {
          at: '3m',
          alert,
          labels: down,
          annotations: {
            summary: 'blue: no replica of query answers',
            description:
              'Prometheus knows its pods, but none of them has answered a scrape for two minutes.',
            dashboard: 'engawa-overview',
          },
        },
      ],
    });
  });

  it('fires for as long as a component that is switched on has no pods', () => {
    play({
      every: '1m',
      series: {
        [up('catalog', 'catalog-a')]: '1x400',
        [up('query', 'query-a')]: '1x10 stale _x380 1x20',
        [wanted('catalog')]: '1x400',
        [wanted('query')]: '1x420',
        // Another release of the namespace, which has none of it.
        [`${wantedComponents}{namespace="homes", release="green", component="query"}`]: '1x420',
      },
      firing: [
        { at: '12m', alert, with: [] },
        { at: '14m', alert, with: [missing] },
        { at: '6h20m', alert, with: [missing] },
        { at: '6h33m', alert, with: [] },
      ],
      annotated: [
        {
          at: '20m',
          alert,
          labels: missing,
          annotations: {
            summary: 'blue: query is gone',
            description:
              'The release has it switched on, and for two minutes Prometheus has found no pods of it.',
            dashboard: 'engawa-overview',
          },
        },
      ],
    });
  });

  it('fires for one replica of several, as a warning', () => {
    play({
      series: { [up('query', 'query-a')]: '1 0x80', [up('query', 'query-b')]: '1x80' },
      firing: [
        { at: '10m', alert, with: [] },
        { at: '10m15s', alert, with: [replica] },
      ],
      annotated: [
        {
          at: '11m',
          alert,
          labels: replica,
          annotations: {
            summary: 'blue: query-a does not answer',
            description: 'It has not answered a scrape for ten minutes.',
            dashboard: 'engawa-overview',
          },
        },
      ],
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
      'the only replica that is replaced',
      {
        [wanted('query')]: '1x200',
        [up('query', 'query-a')]: '1x20 0 stale',
        [up('query', 'query-b')]: '_x24 0 0 1x60',
      },
    ],
    ['a release without query', {}],
    ['a component that is switched off', { [up('query', 'query-a')]: '1x10 stale' }],
    [
      'a Prometheus that was away',
      { [wanted('query')]: '1x20 _x40 1x60', [up('query', 'query-a')]: '1x20 _x40 1x60' },
    ],
    ['targets of something else with our labels', { [of('up', { job: 'node' })]: '0x100' }],
  ])('does not fire for %s', (_, series) => {
    play({
      series: { ...others, [wanted('catalog')]: '1x200', ...series },
      firing: ['5m15s', '6m', '7m', '8m', '15m15s', '16m'].map((at) => ({ at, alert, with: [] })),
    });
  });
});
