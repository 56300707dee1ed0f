import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestBroker } from './broker.ts';
import { startBroker } from './broker.ts';

interface Running {
  child: ChildProcess;
  lines: string[];
  /** The next line, now or later, in which the pattern is found. */
  line: (pattern: RegExp) => Promise<string>;
  ended: Promise<unknown[]>;
}

function simulate(...args: string[]): Running {
  const main = path.join(__dirname, '../src/main.ts');
  const environment = { ...process.env, MQTT_URL: '', MQTT_VERSION: '', REGISTRY_URL: '' };
  const child = spawn(process.execPath, [main, ...args], { env: environment });
  const ended = once(child, 'close');
  const lines: string[] = [];
  const arrivals = [child.stdout, child.stderr].map((stream) => {
    const reader = createInterface({ input: stream });
    reader.on('line', (line) => lines.push(line));
    return reader;
  });
  const line = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = lines.find((candidate) => pattern.test(candidate));
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`ended without it:\n${lines.join('\n')}`);
      await Promise.race([...arrivals.map((reader) => once(reader, 'line')), ended]);
    }
  };
  return { child, lines, line, ended };
}

let broker: TestBroker;
let running: Running | undefined;
beforeEach(async () => {
  broker = await startBroker();
});
afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  await broker.close();
});

it('backfills, goes live, and ends well on SIGINT', async () => {
  running = simulate('--mqtt', broker.url, '--days', '1', '--homes', 'tanaka');
  await running.line(/^live: 7 devices/);
  running.child.kill('SIGINT');
  expect(await running.ended).toEqual([0, null]);
  expect(running.lines[0]).toBe(`connected to ${broker.url}`);
  expect(running.lines[1]).toBe('the first readings are with the broker');
  expect(running.lines[2]).toMatch(/^backfill done: [\d,]+ readings in [\d,]+ messages$/);
  const devices = new Set(broker.received.map(({ topic }) => topic.split('/')[1]));
  expect(devices.size).toBe(7);
  expect([...devices].every((device) => device?.includes('tanaka'))).toBe(true);
});

it('ends by itself with --no-live', async () => {
  running = simulate('--mqtt', broker.url, '--days', '1', '--no-live');
  expect(await running.ended).toEqual([0, null]);
  expect(running.lines.at(-1)).toMatch(/^backfill done/);
});

it('makes a load at the rate asked for, and says how it went on SIGTERM', async () => {
  running = simulate('--mqtt', broker.url, '--rate', '400', '--devices', '3');
  await running.line(/^load 400\/s: sent [\d,]+\/s, acknowledged [\d,]+\/s/);
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual([0, null]);
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

it('waits for a broker that is not there, in one line, and ends on SIGINT', async () => {
  const { url } = broker;
  await broker.close();
  running = simulate('--mqtt', url);
  await running.line(/refused/);
  running.child.kill('SIGINT');
  expect(await running.ended).toEqual([0, null]);
  expect(running.lines).toEqual([
    `${url}: nothing listens there (connection refused); trying again every second`,
  ]);
});

it('says in one line what is wrong with the command line', async () => {
  running = simulate('--days', 'many');
  expect(await running.ended).toEqual([1, null]);
  expect(running.lines).toEqual([
    "simulator: --days must be a whole number from 0 to 365, not 'many'",
  ]);
});
