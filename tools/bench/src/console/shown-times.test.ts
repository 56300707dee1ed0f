import { shownTimes } from './shown-times.ts';

const published = [NaN, 1000, 1200, 1400];

it('are from the publish to the frame', () => {
  const shown = [
    { count: 1, time: 1015 },
    { count: 2, time: 1230 },
    { count: 3, time: 1420 },
  ];
  expect(shownTimes(published, shown)).toEqual([15, 30, 20]);
});

it('count a value as shown with the next one, where it was replaced before the frame', () => {
  const shown = [
    { count: 1, time: 1015 },
    { count: 3, time: 1420 },
  ];
  expect(shownTimes(published, shown)).toEqual([15, 220, 20]);
});

it('reject a value that was never shown', () => {
  expect(() => shownTimes(published, [{ count: 2, time: 1230 }])).toThrow('the value 3');
});
