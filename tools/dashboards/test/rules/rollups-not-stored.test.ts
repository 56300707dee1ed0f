import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const pod = { component: 'query', pod: 'query-0', instance: 'a' };
const notStored = (reason: string) =>
  of('engawa_query_rollups_not_stored_total', { ...pod, reason });

/** A process that has run and was scraped since long before time 0. */
const old = { [of('up', pod)]: '1x1200', [of('process_start_time_seconds', pod)]: '-90000x1200' };

describeWith(['promtool'], 'EngawaRollupsNotStored', () => {
  const play = playerOf('EngawaRollupsNotStored', 'engawa-overview');
  const tooLarge = { severity: 'warning', cause: 'too_large' };
  const failed = { severity: 'warning', cause: 'failed' };

  it('fires at the first rollup that is too large, for an hour', () => {
    play({
      series: { ...old, [notStored('too_large')]: '_x319 1x800' },
      firing: { '79m30s': [], '79m45s': [tooLarge], '139m30s': [tooLarge], '140m15s': [] },
      says: {
        at: '81m',
        labels: tooLarge,
        summary: 'blue: rollups of aggregates could not be stored',
        description:
          '1 rollups of the last hour are larger than a transaction. Their readings are read for each request, and after their retention the aggregates are gone.',
      },
    });
  });

  it('fires when the table refuses rollups for half an hour', () => {
    play({
      series: { ...old, [notStored('failed')]: '0x80 0+1x300' },
      firing: { '45m': [], '51m': [failed], '1h30m': [failed] },
    });
  });

  it.each([
    ['a table that throttles for ten minutes', '0x80 0+1x40 40x600'],
    ['old events', '500x700'],
  ])('does not fire for %s', (_, values) => {
    play({
      series: { ...old, [notStored('failed')]: values },
      firing: silentAt('20m', '31m', '45m', '1h', '1h30m'),
    });
  });
});
