import { describeWith } from '@engawa/testing';
import { of, play } from './promtool.ts';

const alert = 'EngawaFullTextStale';
const pod = { component: 'catalog', pod: 'catalog-a' };
const stale = of('engawa_full_text_stale_seconds', pod);
const behind = { ...pod, severity: 'warning', cause: 'behind' };
const missing = { ...pod, severity: 'warning', cause: 'missing' };

describeWith(['promtool'], alert, () => {
  it('fires when changes are not found for minutes, until they are', () => {
    play({
      series: { [stale]: '0.5 0+15x60 0.5x20' },
      firing: [
        { at: '10m15s', alert, with: [] },
        { at: '10m45s', alert, with: [behind] },
        { at: '16m', alert, with: [] },
      ],
      annotated: [
        {
          at: '11m15s',
          alert,
          labels: behind,
          annotations: {
            summary: 'blue: the search of catalog-a is out of date',
            description:
              'What has changed in the last 11m 0s may not be found. All else is up to date.',
            dashboard: 'engawa-overview',
          },
        },
      ],
    });
  });

  it('fires when there is no index for half an hour', () => {
    play({
      every: '1m',
      // Seconds since the epoch.
      series: { [stale]: '1.8e9+60x40 1x20' },
      firing: [
        { at: '29m', alert, with: [] },
        { at: '30m', alert, with: [missing] },
        { at: '45m', alert, with: [] },
      ],
      annotated: [
        {
          at: '35m',
          alert,
          labels: missing,
          annotations: {
            summary: 'blue: catalog-a has no full-text index',
            description:
              'It has not been made for half an hour; until it is, searches are answered with 503.',
            dashboard: 'engawa-overview',
          },
        },
      ],
    });
  });

  it.each([
    ['the index that a new pod makes for ten minutes', '1800000000+15x40 0.5x40'],
    ['a table that throttles for a while', '0.5 0+15x30 0.5x40'],
    ['an index that is up to date', '1x80'],
  ])('does not fire for %s', (_, values) => {
    play({
      series: { [stale]: values },
      firing: ['5m', '8m', '10m', '11m', '15m'].map((at) => ({ at, alert, with: [] })),
    });
  });
});
