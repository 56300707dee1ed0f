import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const pod = { component: 'ingestion', pod: 'ingestion-0' };
const takeovers = of('engawa_mqtt_takeovers_total', pod);
const limit = (name: string) => of('engawa_mqtt_broker_limits', { ...pod, limit: name });

describeWith(['promtool'], 'EngawaBrokerLimits', () => {
  const play = playerOf('EngawaBrokerLimits', 'engawa-ingestion');

  it('warns of a limit that can lose messages, after five minutes', () => {
    const labels = { ...pod, limit: 'session_expiry', severity: 'warning', cause: 'loss' };
    play({
      series: { [limit('session_expiry')]: '0x8 1x40 0x40' },
      firing: { '6m': [], '8m': [labels], '13m': [] },
      says: {
        at: '8m',
        labels,
        summary: 'blue: the broker of ingestion-0 can lose messages',
        description:
          'The broker limits what was configured (session_expiry): a disconnection loses messages that it has acknowledged to publishers. /readyz of the pod says more.',
      },
    });
  });

  it('is critical for a limit with which nothing is received', () => {
    const labels = {
      ...{ ...pod, limit: 'shared_subscriptions' },
      ...{ severity: 'critical', cause: 'silence' },
    };
    play({
      series: { [limit('shared_subscriptions')]: '1x60' },
      firing: { '1m': [], '3m': [labels] },
      says: {
        at: '3m',
        labels,
        summary: 'blue: ingestion-0 receives nothing from its broker',
        description:
          'The broker does not support what the configuration needs (shared_subscriptions). /readyz of the pod says which setting to change.',
      },
    });
  });

  it.each([
    ['other limits', { [limit('retained_messages')]: '1x60', [limit('maximum_qos')]: '0x60' }],
    ['a broker for a minute', { [limit('session_expiry')]: '1x4 0x60' }],
  ])('does not fire for %s', (_, series) => {
    play({ series, firing: silentAt('2m', '6m', '12m') });
  });
});

describeWith(['promtool'], 'EngawaClientIdShared', () => {
  const play = playerOf('EngawaClientIdShared', 'engawa-ingestion');
  const labels = { ...pod, severity: 'warning' };

  it('fires at the third takeover in a quarter of an hour', () => {
    play({
      series: { [takeovers]: '0x10 1x2 2x2 3x120' },
      firing: { '3m': [], '5m': [labels], '16m': [labels], '20m': [] },
      says: {
        at: '5m',
        labels,
        summary: 'blue: another client uses the MQTT_CLIENT_ID of ingestion-0',
        description:
          'Another client has ended 3 connections of the pod in the last 15 minutes by connecting with the same client identifier. No message is lost, but messages are delayed and delivered repeatedly.',
      },
    });
  });

  it.each([
    ['a rollout', { [takeovers]: '0x10 1x60' }],
    ['old takeovers', { [takeovers]: '7x60' }],
    ['a restart', { [takeovers]: '7x10 0x60' }],
  ])('does not fire for %s', (_, series) => {
    play({ series, firing: silentAt('2m', '5m', '12m') });
  });
});
