import { join } from 'node:path';
import { RunningProcess } from '@engawa/embedded';

/** In the order in which they are printed. */
const stages = [
  '1. Normal load',
  '2. Throttling',
  'registers',
  'DynamoDB throttles both',
  '3. Detection',
  'table DEVICE#freezer-7:',
  'gsi1 LIST#DEVICE#0:',
  'engawa_hot_partition_throttles_per_second{',
  '4. Mitigation',
  'Decided: freezer-7 gets',
  '5. Recovery',
  'All offered load is stored again',
  '6. Verification',
  'Summary',
  'lost                    nothing',
  'Next',
];

const started: RunningProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((demo) => demo.end('SIGTERM')));
});

function start(...args: string[]): RunningProcess {
  const demo = new RunningProcess({
    name: 'demo:hot',
    command: [process.execPath, join(__dirname, '../src/hot/demo/main.ts'), ...args],
    // The demo must not use a table or a broker that the user has set.
    environment: { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1', MQTT_URL: 'mqtt://127.0.0.1:1' },
    parentDeathSignal: 'TERM',
  });
  started.push(demo);
  return demo;
}

async function isAnswering(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

/** Of the services that the demo has named. */
async function answering({ output }: RunningProcess): Promise<string[]> {
  const urls = [...new Set(output.match(/http:\/\/127\.0\.0\.1:\d+/g))];
  const answers = await Promise.all(urls.map(isAnswering));
  return urls.filter((_, index) => answers[index]);
}

describe('npm run demo:hot', () => {
  it('shows throttling, detection, mitigation and recovery, in this order, and leaves nothing behind', async () => {
    // Per step: a busy machine takes longer than the demo allows by default.
    const demo = start('--timeout', '300');
    await demo.untilReady({ output: '/metrics:' });
    expect(await answering(demo)).toHaveLength(3);
    expect(await demo.exited).toBe(0);
    const found = stages.map((stage) => demo.output.indexOf(stage));
    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(demo.output).toMatch(/gets (2|4|8|16|32|64) shards instead of one/);
    expect(demo.output).not.toContain('    at ');
    expect(await answering(demo)).toEqual([]);
  });

  it('fails with one sentence if mitigation is off', async () => {
    const demo = start('--no-mitigation', '--timeout', '15');
    expect(await demo.exited).toBe(1);
    const [last] = demo.output.trimEnd().split('\n').slice(-1);
    expect(last).toBe('engawa: demo failed: the hot keys do not get more shards within 15 s');
    expect(await answering(demo)).toEqual([]);
  });

  it('ends all its processes when it is interrupted', async () => {
    const demo = start();
    await demo.untilReady({ output: '/metrics:' });
    expect(await demo.end('SIGINT')).toBe(0);
    expect(demo.output).not.toContain('    at ');
    expect(await answering(demo)).toEqual([]);
  });

  it.each([
    [['--fast'], "engawa: Unknown option '--fast' (--help lists the options)\n"],
    [['--timeout', 'x'], "engawa: --timeout must be a whole number from 1 to 9999, not 'x'\n"],
  ])('rejects %j in one line', async (args, line) => {
    const demo = start(...args);
    expect(await demo.exited).toBe(1);
    expect(demo.output).toBe(line);
  });
});
