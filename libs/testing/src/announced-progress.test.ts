import { announcedProgress } from './announced-progress.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('prints what has changed, once in ten seconds, and gives the progress as it is', async () => {
  const lines: string[] = [];
  let stored = 0;
  const progress = announcedProgress(
    'devices',
    () => stored,
    (line) => lines.push(line),
  );
  for (stored = 1; stored <= 25; stored += 1) {
    jest.advanceTimersByTime(1000);
    expect(await progress()).toBe(stored);
  }
  jest.advanceTimersByTime(60_000);
  stored = 20;
  await progress();
  expect(lines).toEqual(['devices: 10\n', 'devices: 20\n']);
});
