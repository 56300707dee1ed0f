import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const alert = 'EngawaFullTextStale';
const play = playerOf(alert, 'engawa-overview');
const pod = { component: 'catalog', pod: 'catalog-a' };
const stale = of('engawa_full_text_stale_seconds', pod);
const behind = { ...pod, severity: 'warning', cause: 'behind' };
const missing = { ...pod, severity: 'warning', cause: 'missing' };

describeWith(['promtool'], alert, () => {
  it('fires while the index is stale for minutes', () => {
    play({
      series: { [stale]: '0.5 0+15x60 0.5x20' },
      firing: {
        '10m15s': [],
        '10m45s': [behind],
        '16m': [],
      },
      says: {
        at: '11m15s',
        labels: behind,
        summary: 'blue: the full-text index of catalog-a is stale',
        description:
          'Searches may miss changes of the last 11m 0s. All other requests read the table and are current.',
      },
    });
  });

  it('fires when there is no index for half an hour', () => {
    play({
      every: '1m',
      // Seconds since the epoch.
      series: { [stale]: '1.8e9+60x40 1x20' },
      firing: {
        '29m': [],
        '30m': [missing],
        '45m': [],
      },
      says: {
        at: '35m',
        labels: missing,
        summary: 'blue: catalog-a has no full-text index',
        description:
          'The replica has had no index for half an hour. Searches are answered with 503 until it has one.',
      },
    });
  });

  it.each([
    ['a new pod that builds its index for ten minutes', '1800000000+15x40 0.5x40'],
    ['a table that throttles for a while', '0.5 0+15x30 0.5x40'],
    ['an index that is up to date', '1x80'],
  ])('does not fire for %s', (_, values) => {
    play({
      series: { [stale]: values },
      firing: silentAt('5m', '8m', '10m', '11m', '15m'),
    });
  });
});
