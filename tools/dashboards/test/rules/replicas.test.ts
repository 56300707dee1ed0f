import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';
import { wantedReplicas } from '../../src/rules/wanted.ts';

const ready = (pod: string) => of('engawa_ready', { component: 'query', pod });
const wanted = of(wantedReplicas, { component: 'query' });

describeWith(['promtool'], 'EngawaReplicasMissing', () => {
  const play = playerOf('EngawaReplicasMissing', 'engawa-overview');
  const labels = { component: 'query', severity: 'warning' };

  it.each([
    ['was never scheduled', {}],
    ['does not become ready', { [ready('query-c')]: '0x200' }],
    ['is not ready any more', { [ready('query-c')]: '1x3 0x200' }],
  ])('fires for a replica of three that %s', (_, series) => {
    play({
      every: '1m',
      series: {
        [wanted]: '3x60',
        [ready('query-a')]: '1x60',
        [ready('query-b')]: '1x60',
        ...series,
      },
      firing: {
        '14m': [],
        '20m': [labels],
      },
      says: {
        at: '20m',
        labels,
        summary: 'blue: query has too few replicas',
        description:
          '1 replicas have not been ready for 15 minutes. They may never have started: not scheduled, or the image was not pulled.',
      },
    });
  });

  it('fires where no replica is ready, until all are', () => {
    play({
      every: '1m',
      series: {
        [wanted]: '2x60',
        [ready('query-a')]: '_x30 1x60',
        [ready('query-b')]: '_x30 1x60',
      },
      firing: {
        '16m': [labels],
        '35m': [],
      },
    });
  });

  it.each([
    [
      'a rollout of twenty minutes with a surge replica',
      {
        [wanted]: '2x60',
        [ready('query-a')]: '1x20 0 stale',
        [ready('query-b')]: '1x60',
        [ready('query-c')]: '_x15 0 1x60',
      },
    ],
    [
      'a StatefulSet of three whose replicas are away for a minute each',
      {
        [wanted]: '3x60',
        [ready('query-a')]: '1x10 0 1x60',
        [ready('query-b')]: '1x15 0 1x60',
        [ready('query-c')]: '1x20 0 1x60',
      },
    ],
    [
      'more than wanted, by an autoscaler',
      { [wanted]: '1x60', [ready('query-a')]: '1x60', [ready('query-b')]: '1x60' },
    ],
    ['a component that is scaled to none on purpose', { [wanted]: '0x60' }],
    ['a release without query', {}],
  ])('does not fire for %s', (_, series) => {
    play({
      every: '1m',
      series,
      firing: silentAt('15m', '20m', '30m', '40m'),
    });
  });
});

describeWith(['promtool'], 'EngawaCrashLooping', () => {
  const play = playerOf('EngawaCrashLooping', 'engawa-overview');
  const pod = { component: 'query', pod: 'query-a', instance: '10.0.0.1:9464' };
  const labels = { component: 'query', pod: 'query-a', severity: 'warning' };
  const started = (more = {}) => of('process_start_time_seconds', { ...pod, ...more });

  it('fires at the third restart in half an hour, and ends half an hour after the last', () => {
    play({
      every: '1m',
      // Between two starts the container waits, and nothing answers.
      series: { [started()]: '100x5 _ 460x4 _ _ 780x4 _ _ _ 1260x200' },
      firing: {
        '20m': [],
        '23m': [labels],
        '55m': [],
      },
      says: {
        at: '24m',
        labels,
        summary: 'blue: query-a is crash-looping',
        description: 'Its process has restarted 3 times within 30 minutes.',
      },
    });
  });

  it.each([
    ['one restart', { [started()]: '100x10 700x60' }],
    ['restarts hours apart', { [started()]: '100x20 1300x39 3700x39 6100x60' }],
    [
      'rollouts of a StatefulSet, whose pods keep their names',
      Object.fromEntries(
        [0, 1, 2, 3, 4].map((index) => [
          started({ instance: `10.0.0.${index}:9464` }),
          `_x${index * 5 + 1} ${index * 300}x4 stale`,
        ]),
      ),
    ],
    ['processes that are none of a component', { [of('process_start_time_seconds')]: '1+60x60' }],
  ])('does not fire for %s', (_, series) => {
    play({
      every: '1m',
      series,
      firing: silentAt('20m', '30m', '59m'),
    });
  });
});
