import { describeWith } from '@engawa/testing';
import { answered, fast, silent, slow } from './budget-series.ts';
import { play } from './promtool.ts';

const query = { component: 'query' };

describeWith(['promtool'], slow, () => {
  const ofHours = { ...query, severity: 'warning', window: '6h' };
  const ofDay = { ...query, severity: 'warning', window: '1d' };
  const ofDays = { ...query, severity: 'warning', window: '3d' };

  it('fires as a warning when the budget would last for less than five days', () => {
    play({
      every: '2m',
      series: { [answered(200)]: '0+992x400', [answered(500)]: '0+8x200 1600x200' },
      firing: [
        ...silent(fast, '1h', '6h'),
        { at: '6h', alert: slow, with: [ofHours, ofDay, ofDays] },
        ...silent(fast, '7h30m'),
        { at: '7h30m', alert: slow, with: [ofDay, ofDays] },
      ],
      values: [
        { at: '6h', expression: '100 * component:http_server_errors:ratio_rate6h', is: 0.8 },
        // Eight times what is allowed for, during six hours of the 720 that the budget is for.
        { at: '6h', expression: 'component:http_server_error_budget:left30d', is: 0.93 },
      ],
    });
  });

  it.each([
    [62, [ofHours, ofDay, ofDays]],
    [58, [ofDay, ofDays]],
    [31, [ofDay, ofDays]],
    [29, [ofDays]],
    [11, [ofDays]],
    [9, []],
  ])(
    'is about six times what the budget allows, three times, or all of it: %i of 10,000',
    (failed, expected) => {
      play({
        every: '2m',
        series: { [answered(200)]: `0+${10_000 - failed}x200`, [answered(500)]: `0+${failed}x200` },
        firing: [{ at: '6h30m', alert: slow, with: expected }],
      });
    },
  );

  it('fires when it is used up faster than it grows, for days', () => {
    play({
      every: '4m',
      series: { [answered(200)]: '0+9980x1200', [answered(500)]: '0+20x1200' },
      firing: [...silent(fast, '72h'), { at: '72h', alert: slow, with: [ofDays] }],
      annotated: [
        {
          at: '72h',
          alert: slow,
          labels: ofDays,
          annotations: {
            summary: 'blue: a few requests to query have failed for three days',
            description:
              '0.2% of the requests to query were answered with 5xx in the last three days, and still are. At this rate the error budget of 30 days lasts for 30 days at most.',
            dashboard: 'engawa-overview',
          },
        },
      ],
    });
  });

  it.each([
    ['half of the allowed errors', { [answered(200)]: '0+9995x300', [answered(500)]: '0+5x300' }],
    [
      'nine failures in six hours of little traffic',
      { [answered(200)]: '0+1x300', [answered(500)]: '0x30 0+1x9 9x300' },
    ],
    [
      'a bad hour that is over',
      { [answered(200)]: '0+1000x300', [answered(500)]: '0+30x15 450x300' },
    ],
  ])('does not fire for %s', (name, series) => {
    const over = name.includes('over') ? ['9h'] : ['2h', '6h', '9h'];
    play({ every: '4m', series, firing: silent(slow, ...over) });
  });
});
