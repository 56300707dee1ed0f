import { describeWith } from '@engawa/testing';
import { of, play } from './promtool.ts';

const pod = { component: 'ingestion', pod: 'ingestion-0' };
const lost = of('engawa_mqtt_sessions_lost_total', pod);
const selfTestsFailed = of('engawa_mqtt_self_tests_failed_total', pod);

describeWith(['promtool'], 'EngawaSessionLost', () => {
  const alert = 'EngawaSessionLost';
  const labels = { ...pod, severity: 'warning' };

  it('fires at once, for a quarter of an hour', () => {
    play({
      series: { [lost]: '0x20 1x100' },
      firing: [
        { at: '5m', alert, with: [] },
        { at: '5m15s', alert, with: [labels] },
        { at: '19m', alert, with: [labels] },
        { at: '21m', alert, with: [] },
      ],
      annotated: [
        {
          at: '6m',
          alert,
          labels,
          annotations: {
            summary: 'blue: the broker has forgotten the session of ingestion-0',
            description:
              'What the broker had queued for it is gone, though its publishers were told that it is taken. It happened in the last 15 minutes, and does not come back by itself.',
            dashboard: 'engawa-ingestion',
          },
        },
      ],
    });
  });

  it.each([
    ['a session that was lost long ago', { [lost]: '3x100' }],
    ['a restart', { [lost]: '3x10 0x90' }],
    ['a Prometheus that was away', { [lost]: '3x10 _x30 3x60' }],
  ])('does not fire for %s', (_, series) => {
    play({
      series,
      firing: ['2m', '3m', '11m', '20m'].map((at) => ({ at, alert, with: [] })),
    });
  });
});

describeWith(['promtool'], 'EngawaSubscriptionSilent', () => {
  const alert = 'EngawaSubscriptionSilent';
  const labels = { ...pod, severity: 'critical' };

  it('fires at the second failure in a row, and ends when a test succeeds', () => {
    play({
      // A test a minute fails, five times.
      series: { [selfTestsFailed]: '0x3 1x3 2x3 3x3 4x3 5x60' },
      firing: [
        { at: '1m45s', alert, with: [] },
        { at: '2m30s', alert, with: [labels] },
        { at: '8m', alert, with: [labels] },
        { at: '11m', alert, with: [] },
      ],
      annotated: [
        {
          at: '3m',
          alert,
          labels,
          annotations: {
            summary: 'blue: ingestion-0 subscribes and the broker delivers nothing',
            description:
              'Messages that it sends to itself do not come back, though the broker granted the subscription. Readings may be reaching the broker without being delivered.',
            dashboard: 'engawa-ingestion',
          },
        },
      ],
    });
  });

  it.each([
    ['a single failure', { [selfTestsFailed]: '0x4 1x60' }],
    ['failures of long ago', { [selfTestsFailed]: '7x60' }],
    ['a restart', { [selfTestsFailed]: '7x10 0x60' }],
    ['a release without ingestion', {}],
  ])('does not fire for %s', (_, series) => {
    play({
      series,
      firing: ['1m', '2m', '4m', '8m'].map((at) => ({ at, alert, with: [] })),
    });
  });
});
