import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const alert = 'EngawaNotReady';
const play = playerOf(alert, 'engawa-overview');
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
  it('fires when no replica of a component has been ready for two minutes, although all are scraped', () => {
    play({
      series: { ...others, [ready('query-a')]: '1 0x34 1x50', [ready('query-b')]: '1 0x34 1x50' },
      firing: {
        '2m': [],
        '2m15s': [component],
        '8m': [component],
        '9m': [],
      },
      says: {
        at: '3m',
        labels: component,
        summary: 'blue: no replica of query is ready',
        description:
          'All of its replicas have been starting or closing for two minutes, so Kubernetes sends them no requests. /readyz of a pod names the unmet requirements.',
      },
    });
  });

  it('fires when no replica can use the table, although all are ready and there are no requests', () => {
    play({
      series: {
        ...others,
        [ready('query-a')]: '1x100',
        [ready('query-b')]: '1x100',
        [table('query-a')]: '1 0x34 1x50',
        [table('query-b')]: '1 0x34 1x50',
      },
      firing: {
        '2m': [],
        '2m15s': [noTable],
        '9m': [],
      },
      says: {
        at: '3m',
        labels: noTable,
        summary: 'blue: query cannot use the table',
        description:
          'No replica has been able to use the table for two minutes: every request is answered with 503. /readyz of a pod says why.',
      },
    });
  });

  it.each([
    ['is not ready', { [ready('query-a')]: '1 0x80' }],
    ['cannot use the table', { [ready('query-a')]: '1x81', [table('query-a')]: '1 0x80' }],
  ])('fires for one replica of several that %s, as a warning', (_, series) => {
    play({
      series: { ...series, [ready('query-b')]: '1x81', [table('query-b')]: '1x81' },
      firing: {
        '10m': [],
        '10m15s': [replica],
      },
      says: {
        at: '11m',
        labels: replica,
        summary: 'blue: query-a is not ready, or cannot use the table',
        description: 'The condition has lasted for ten minutes. /readyz of the pod says why.',
      },
    });
  });

  it.each([
    ['a rollout', { [ready('query-a')]: '1x20 0 0 stale', [ready('query-b')]: '_x18 0 0 1x60' }],
    ['a start of one minute', { [ready('query-a')]: '0x4 1x100', [table('query-a')]: '0x4 1x100' }],
    [
      'unmet requirements with an alert of their own (broker, progress)',
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
      firing: silentAt('2m15s', '5m15s', '7m', '8m', '16m'),
    });
  });
});
