import { describeWith } from '@engawa/testing';
import { of, play } from './promtool.ts';

const pod = { component: 'ingestion', pod: 'ingestion-0', instance: 'a' };
const up = of('up', pod);
const started = of('process_start_time_seconds', pod);
const kept = (reason: string, labels = {}) =>
  of('engawa_ingest_dead_letters_total', { ...pod, reason, ...labels });

/** A process that has been there, and was scraped, since long before; time begins at 0. */
const old = { [up]: '1x400', [started]: '-90000x400' };

describeWith(['promtool'], 'EngawaDeadLetters', () => {
  const alert = 'EngawaDeadLetters';
  const malformed = { reason: 'malformed', severity: 'warning' };

  it('fires at the very first letter of a kind, for a quarter of an hour', () => {
    play({
      series: { ...old, [kept('malformed')]: '_x79 1x200' },
      firing: [
        { at: '19m30s', alert, with: [] },
        { at: '19m45s', alert, with: [malformed] },
        { at: '34m30s', alert, with: [malformed] },
        { at: '35m', alert, with: [] },
      ],
      annotated: [
        {
          at: '20m',
          alert,
          labels: malformed,
          annotations: {
            summary: 'blue: messages could not be stored (malformed)',
            description:
              '1 dead letters with the reason malformed were kept in the last 15 minutes. They are whole, and stay for 14 days.',
            dashboard: 'engawa-ingestion',
          },
        },
      ],
    });
  });

  it('fires for each reason, when there are more of what there has been', () => {
    play({
      series: { ...old, [kept('malformed')]: '7x80 8x100', [kept('bad_time')]: '2x81 5x100' },
      firing: [
        { at: '20m', alert, with: [] },
        { at: '20m30s', alert, with: [malformed, { ...malformed, reason: 'bad_time' }] },
        { at: '36m', alert, with: [] },
      ],
    });
  });

  it.each([
    ['a process that has just started anew', 'ingestion-0'],
    ['a replica that there was not before', 'ingestion-1'],
  ])('fires for the first letter of %s', (_, name) => {
    const anew = { ...pod, pod: name, instance: 'b' };
    play({
      series: {
        [up]: '1x80 stale',
        [started]: '-90000x80 stale',
        [of('up', anew)]: '_x82 1x100',
        [of('process_start_time_seconds', anew)]: '_x82 1225x100',
        [kept('malformed', anew)]: '_x83 3x100',
      },
      firing: [{ at: '21m', alert, with: [malformed] }],
    });
  });

  it.each([
    ['letters of long ago', { ...old, [kept('malformed')]: '500x200' }],
    [
      'a Prometheus that sees an old process for the first time',
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
      firing: ['20m', '25m', '31m', '36m', '44m'].map((at) => ({ at, alert, with: [] })),
    });
  });
});
