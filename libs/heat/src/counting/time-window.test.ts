import { TimeWindow } from './time-window.ts';

function withTurns() {
  const turns: number[] = [];
  const window = new TimeWindow({ onTurn: (panes) => turns.push(panes) });
  return { window, turns };
}

it('begins a pane every two seconds from the first record', () => {
  const { window, turns } = withTurns();
  for (const now of [5001, 7000, 7000.9]) window.moveTo(now);
  expect(turns).toEqual([]);
  window.moveTo(7001);
  window.moveTo(9001);
  window.moveTo(15_002);
  expect(turns).toEqual([1, 1, 3]);
});

it('reports the period of the counts in seconds: at least one, at most ten and the current pane', () => {
  const { window } = withTurns();
  const seconds = [-4000, -3500, -1500, 6000, 7999, 8000, 8500, 60_500].map((now) => {
    window.moveTo(now);
    return window.seconds;
  });
  expect(seconds).toEqual([1, 1, 2.5, 10, 11.999, 10, 10.5, 10.5]);
});

it('ignores a clock that goes back', () => {
  const { window, turns } = withTurns();
  for (const now of [NaN, Infinity, 1000, 2500, 1000, NaN, -Infinity, 2400]) window.moveTo(now);
  expect([window.now, window.seconds, turns]).toEqual([2500, 1.5, []]);
});
