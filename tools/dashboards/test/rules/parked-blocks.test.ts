import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const oldest = (pod: string) =>
  of('engawa_ingest_oldest_parked_seconds', { component: 'ingestion', pod, instance: pod });

describeWith(['promtool'], 'EngawaParkedBlocks', () => {
  const play = playerOf('EngawaParkedBlocks', 'engawa-ingestion');
  const labels = { severity: 'warning' };
  const every = '1m';

  it('fires when parked blocks stay for a quarter of an hour', () => {
    play({
      every,
      series: { [oldest('ingestion-0')]: '0x9 0+60x60 0x60', [oldest('ingestion-1')]: '0x130' },
      firing: {
        '27m': [],
        '29m': [labels],
        '1h15m': [],
      },
      says: {
        at: '40m',
        labels,
        summary: 'blue: readings of throttled devices have been parked for 15 minutes',
        description:
          'The oldest parked block has waited for its device’s throttled partition key for 1800 s. Parked readings are durable and acknowledged, but the query service does not return them yet.',
      },
    });
  });

  it.each([
    ['an episode that ends', { [oldest('ingestion-0')]: '0x30 0+60x12 0x100' }],
    ['blocks that come and go', { [oldest('ingestion-0')]: '300x200' }],
    ['nothing at all', {}],
  ])('does not fire for %s', (_, series) => {
    play({
      every,
      series,
      firing: silentAt('30m', '45m', '1h', '2h'),
    });
  });
});
