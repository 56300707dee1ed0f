import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const pod = { component: 'ingestion', pod: 'ingestion-0', instance: 'a' };
const up = of('up', pod);
const started = of('process_start_time_seconds', pod);
const kept = (reason: string, labels = {}) =>
  of('engawa_ingest_dead_letters_total', { ...pod, reason, ...labels });

/** A process that has run and was scraped since long before time 0. */
const old = { [up]: '1x400', [started]: '-90000x400' };

describeWith(['promtool'], 'EngawaDeadLetters', () => {
  const play = playerOf('EngawaDeadLetters', 'engawa-ingestion');
  const malformed = { reason: 'malformed', severity: 'warning' };

  it('fires at the first dead letter of a reason, for a quarter of an hour', () => {
    play({
      series: { ...old, [kept('malformed')]: '_x79 1x200' },
      firing: {
        '19m30s': [],
        '19m45s': [malformed],
        '34m30s': [malformed],
        '35m': [],
      },
      says: {
        at: '20m',
        labels: malformed,
        summary: 'blue: messages could not be stored (malformed)',
        description:
          '1 dead letters with the reason malformed were stored in the last 15 minutes. They keep the whole message for 14 days.',
      },
    });
  });

  it('fires for each reason when its count increases', () => {
    play({
      series: { ...old, [kept('malformed')]: '7x80 8x100', [kept('bad_time')]: '2x81 5x100' },
      firing: {
        '20m': [],
        '20m30s': [malformed, { ...malformed, reason: 'bad_time' }],
        '36m': [],
      },
    });
  });

  it.each([
    ['a restarted process', 'ingestion-0'],
    ['a new replica', 'ingestion-1'],
  ])('fires for the first dead letter of %s', (_, name) => {
    const fresh = { ...pod, pod: name, instance: 'b' };
    play({
      series: {
        [up]: '1x80 stale',
        [started]: '-90000x80 stale',
        [of('up', fresh)]: '_x82 1x100',
        [of('process_start_time_seconds', fresh)]: '_x82 1225x100',
        [kept('malformed', fresh)]: '_x83 3x100',
      },
      firing: { '21m': [malformed] },
    });
  });

  it.each([
    ['old dead letters', { ...old, [kept('malformed')]: '500x200' }],
    [
      'a new Prometheus that scrapes an old process',
      { [up]: '_x80 1x100', [started]: '_x80 -90000x100', [kept('malformed')]: '_x80 500x100' },
    ],
    [
      'a network that was cut for ten minutes',
      {
        [up]: '1x80 0x40 1x100',
        [started]: '-90000x80 _x41 -90000x100',
        [kept('malformed')]: '500x80 _x41 500x100',
      },
    ],
    ['a restart of the container', { ...old, [kept('malformed')]: '500x80 0x100' }],
  ])('does not fire for %s', (_, series) => {
    play({
      series,
      firing: silentAt('20m', '25m', '31m', '36m', '44m'),
    });
  });
});
