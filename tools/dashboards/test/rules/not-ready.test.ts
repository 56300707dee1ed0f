import { describeWith } from '@engawa/testing';
import { of, play } from './promtool.ts';

const alert = 'EngawaNotReady';
const ready = (pod: string, component = 'query') => of('engawa_ready', { component, pod });
const table = (pod: string, component = 'query') =>
  of('engawa_requirement_met', { component, pod, requirement: 'table' });
const of2m = { component: 'query', severity: 'critical' };
const component = { ...of2m, cause: 'component' };
const noTable = { ...of2m, cause: 'table' };
const replica = { component: 'query', pod: 'query-a', severity: 'warning', cause: 'replica' };
const others = {
  [ready('catalog-a', 'catalog')]: '1x200',
  [table('catalog-a', 'catalog')]: '1x200',
};

describeWith(['promtool'], alert, () => {
  it('fires when no replica of a component has been ready for two minutes, though all are scraped', () => {
    play({
      series: { ...others, [ready('query-a')]: '1 0x34 1x50', [ready('query-b')]: '1 0x34 1x50' },
      firing: [
        { at: '2m', alert, with: [] },
        { at: '2m15s', alert, with: [component] },
        { at: '8m', alert, with: [component] },
        { at: '9m', alert, with: [] },
      ],
      annotated: [
        {
          at: '3m',
          alert,
          labels: component,
          annotations: {
            summary: 'blue: no replica of query is ready',
            description:
              'All of its replicas have been starting or closing for two minutes, so Kubernetes sends them no requests. /readyz of a pod says what it waits for.',
            dashboard: 'engawa-overview',
          },
        },
      ],
    });
  });

  it('fires when no replica has its table, though all stay ready and nobody asks anything', () => {
    play({
      series: {
        ...others,
        [ready('query-a')]: '1x100',
        [ready('query-b')]: '1x100',
        [table('query-a')]: '1 0x34 1x50',
        [table('query-b')]: '1 0x34 1x50',
      },
      firing: [
        { at: '2m', alert, with: [] },
        { at: '2m15s', alert, with: [noTable] },
        { at: '9m', alert, with: [] },
      ],
      annotated: [
        {
          at: '3m',
          alert,
          labels: noTable,
          annotations: {
            summary: 'blue: query has no table',
            description:
              'For two minutes no replica of it has been able to use the table: every request is answered with 503. /readyz of a pod says why.',
            dashboard: 'engawa-overview',
          },
        },
      ],
    });
  });

  it.each([
    ['is not ready', { [ready('query-a')]: '1 0x80' }],
    ['has no table', { [ready('query-a')]: '1x81', [table('query-a')]: '1 0x80' }],
  ])('fires for one replica of several that %s, as a warning', (_, series) => {
    play({
      series: { ...series, [ready('query-b')]: '1x81', [table('query-b')]: '1x81' },
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
            summary: 'blue: query-a is not ready, or has no table',
            description: 'It has been so for ten minutes. /readyz of the pod says why.',
            dashboard: 'engawa-overview',
          },
        },
      ],
    });
  });

  it.each([
    ['a rollout', { [ready('query-a')]: '1x20 0 0 stale', [ready('query-b')]: '_x18 0 0 1x60' }],
    ['a start of one minute', { [ready('query-a')]: '0x4 1x100', [table('query-a')]: '0x4 1x100' }],
    [
      'the broker away, and no progress: those have alerts of their own',
      {
        [ready('query-a')]: '1x100',
        [of('engawa_requirement_met', { component: 'query', pod: 'query-a', requirement: 'mqtt' })]:
          '0x100',
      },
    ],
    [
      'another release',
      { [of('engawa_ready', { release: 'green', component: 'query' })]: '0x100' },
    ],
  ])('does not fire for %s', (_, series) => {
    play({
      series: { ...others, ...series },
      firing: ['2m15s', '5m15s', '7m', '8m', '16m'].map((at) => ({ at, alert, with: [] })),
    });
  });
});
