import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const pod = { component: 'ingestion', pod: 'ingestion-0' };
const lost = of('engawa_mqtt_sessions_lost_total', pod);
const selfTestsFailed = of('engawa_mqtt_self_tests_failed_total', pod);

describeWith(['promtool'], 'EngawaSessionLost', () => {
  const play = playerOf('EngawaSessionLost', 'engawa-ingestion');
  const labels = { ...pod, severity: 'warning' };

  it('fires at once, for a quarter of an hour', () => {
    play({
      series: { [lost]: '0x20 1x100' },
      firing: {
        '5m': [],
        '5m15s': [labels],
        '19m': [labels],
        '21m': [],
      },
      says: {
        at: '6m',
        labels,
        summary: 'blue: the broker has lost the session of ingestion-0',
        description:
          'The session was lost in the last 15 minutes. Messages that the broker had acknowledged to publishers and queued for this pod are lost, and the broker will not deliver them.',
      },
    });
  });

  it.each([
    ['a session lost long ago', { [lost]: '3x100' }],
    ['a restart', { [lost]: '3x10 0x90' }],
    ['a Prometheus that was away', { [lost]: '3x10 _x30 3x60' }],
  ])('does not fire for %s', (_, series) => {
    play({
      series,
      firing: silentAt('2m', '3m', '11m', '20m'),
    });
  });
});

describeWith(['promtool'], 'EngawaSubscriptionSilent', () => {
  const play = playerOf('EngawaSubscriptionSilent', 'engawa-ingestion');
  const labels = { ...pod, severity: 'critical' };

  it('fires at the second failure in a row, and ends when a test succeeds', () => {
    play({
      // A test a minute fails, five times.
      series: { [selfTestsFailed]: '0x3 1x3 2x3 3x3 4x3 5x60' },
      firing: {
        '1m45s': [],
        '2m30s': [labels],
        '8m': [labels],
        '11m': [],
      },
      says: {
        at: '3m',
        labels,
        summary: 'blue: the broker delivers nothing to ingestion-0',
        description:
          'The broker granted the subscription but does not deliver the pod’s own test messages. Readings may reach the broker and not be delivered.',
      },
    });
  });

  it.each([
    ['a single failure', { [selfTestsFailed]: '0x4 1x60' }],
    ['old failures', { [selfTestsFailed]: '7x60' }],
    ['a restart', { [selfTestsFailed]: '7x10 0x60' }],
    ['a release without ingestion', {}],
  ])('does not fire for %s', (_, series) => {
    play({
      series,
      firing: silentAt('1m', '2m', '4m', '8m'),
    });
  });
});
