import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const pod = { pod: 'ingestion-0' };
const counter = (name: string) =>
  of(`engawa_ingest_live_${name}_total`, { component: 'ingestion', ...pod });
const [rejected, lost, sent] = ['rejected_listeners', 'lost_events', 'events'].map(counter) as [
  string,
  string,
  string,
];

describeWith(['promtool'], 'EngawaLiveFeed', () => {
  const play = playerOf('EngawaLiveFeed', 'engawa-ingestion');
  const full = { ...pod, severity: 'warning', cause: 'full' };
  const slow = { ...pod, severity: 'warning', cause: 'lost' };
  const every = '1m';

  it('fires while a replica rejects listeners for ten minutes', () => {
    play({
      every,
      series: { [rejected]: '0x10 2+2x30 62x40' },
      firing: { '20m': [], '22m': [full], '50m': [full], '55m': [] },
      says: {
        at: '30m',
        labels: full,
        summary: 'blue: ingestion-0 rejects live listeners',
        description:
          '20 requests for GET /v1/live were rejected in the last 10 minutes: the pod has MAX_LIVE_LISTENERS open connections. These clients show no live readings. Stored readings are not affected.',
      },
    });
  });

  it('fires while listeners lose more than 1 % of their readings', () => {
    play({
      every,
      series: { [lost]: '0x10 0+5x60', [sent]: '0+95x70' },
      firing: { '24m': [], '40m': [slow] },
      says: {
        at: '40m',
        labels: slow,
        summary: 'blue: live listeners of ingestion-0 lose readings',
        description:
          'Listeners of GET /v1/live have lost 5% of their readings in the last 10 minutes, because they read too slowly. Stored readings are not affected.',
      },
    });
  });

  it.each([
    ['listeners that are rejected once', { [rejected]: '0x10 5x80' }],
    ['a listener that pauses once', { [lost]: '0x10 500x80', [sent]: '0+100x90' }],
    ['few losses', { [lost]: '0+1x90', [sent]: '0+200x90' }],
    ['a feed without listeners', { [rejected]: '0x90', [lost]: '0x90', [sent]: '0x90' }],
  ])('does not fire for %s', (_, series) => {
    play({ every, series, firing: silentAt('15m', '22m', '30m', '45m', '1h') });
  });
});
