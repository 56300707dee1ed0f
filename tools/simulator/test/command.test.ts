import path from 'node:path';
import { RunningProcess } from '@engawa/testing';
import type { TestBroker } from './broker.ts';
import { startBroker } from './broker.ts';

interface Running {
  process: RunningProcess;
  lines: string[];
}

function simulate(...args: string[]): Running {
  const main = path.join(__dirname, '../src/main.ts');
  const lines: string[] = [];
  const running = new RunningProcess({
    name: 'simulator',
    command: [process.execPath, main, ...args],
    onLine: (line) => lines.push(line),
  });
  return { process: running, lines };
}

let broker: TestBroker;
let running: Running | undefined;
beforeEach(async () => {
  broker = await startBroker();
});
afterEach(async () => {
  await running?.process.end('SIGKILL');
  await broker.close();
});

it('backfills, goes live, and exits with 0 on SIGINT', async () => {
  running = simulate('--mqtt', broker.url, '--days', '1', '--homes', 'tanaka');
  await running.process.untilReady({ output: /^live: 7 devices/m });
  expect(await running.process.end('SIGINT')).toBe(0);
  expect(running.lines[0]).toBe(`connected to ${broker.url}`);
  expect(running.lines[1]).toBe('first readings published');
  expect(running.lines[2]).toMatch(/^backfill done: [\d,]+ readings in [\d,]+ messages$/);
  const devices = new Set(broker.received.map(({ topic }) => topic.split('/')[1]));
  expect(devices.size).toBe(7);
  expect([...devices].every((device) => device?.includes('tanaka'))).toBe(true);
});

it('ends after the backfill with --no-live', async () => {
  running = simulate('--mqtt', broker.url, '--days', '1', '--no-live');
  expect(await running.process.exited).toBe(0);
  expect(running.lines.at(-1)).toMatch(/^backfill done/);
});

it('produces load at the given rate, and prints a summary on SIGTERM', async () => {
  running = simulate('--mqtt', broker.url, '--rate', '400', '--devices', '3');
  await running.process.untilReady({
    output: /^load 400\/s: sent [\d,]+\/s, acknowledged [\d,]+\/s/m,
  });
  expect(await running.process.end('SIGTERM')).toBe(0);
  const [, sent, acknowledged] =
    /^load ended: ([\d,]+) sent, ([\d,]+) acknowledged, 0 refused/.exec(
      running.lines.at(-1) ?? '',
    ) ?? [];
  expect(acknowledged).toBe(sent);
  expect(Number(sent?.replace(',', ''))).toBe(broker.received.length);
  // The report comes after two seconds: 800 readings, and what fits until the signal arrives.
  expect(broker.received.length).toBeGreaterThanOrEqual(790);
  expect(new Set(broker.received.map(({ topic }) => topic))).toEqual(
    new Set(['1', '2', '3'].map((device) => `engawa/load-000${device}/readings`)),
  );
  const sequences = broker.received.map(
    ({ payload }) => (JSON.parse(payload) as { sequence: number }).sequence,
  );
  expect(sequences).toEqual(sequences.map((_, index) => index));
});

it('waits for an unreachable broker with one line, and ends on SIGINT', async () => {
  const { url } = broker;
  await broker.close();
  running = simulate('--mqtt', url);
  await running.process.untilReady({ output: /refused/m });
  expect(await running.process.end('SIGINT')).toBe(0);
  expect(running.lines).toEqual([
    `${url}: nothing listens there (connection refused); retrying every second`,
  ]);
});

it('rejects an invalid command line in one line', async () => {
  running = simulate('--days', 'many');
  expect(await running.process.exited).toBe(1);
  expect(running.lines).toEqual([
    "simulator: --days must be a whole number from 0 to 365, not 'many'",
  ]);
});
