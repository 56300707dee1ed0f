import { announcedProgress } from './announced-progress.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('prints changed progress once in ten seconds, and returns the progress unchanged', async () => {
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
