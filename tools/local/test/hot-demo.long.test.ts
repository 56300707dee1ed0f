import { LocalProcess } from './local-process.ts';

/** In the order in which they have to be told. */
const stages = [
  '1. All is well',
  '2. One of them goes wild',
  'registers',
  'DynamoDB throttles both',
  '3. Engawa says which keys they are',
  'table DEVICE#freezer-7:',
  'gsi1 LIST#DEVICE#0:',
  'engawa_hot_partition_throttles_per_second{',
  '4. What stays hot',
  'Decided: freezer-7 gets',
  '5. Now the rate comes back',
  'Everything that is wanted is stored again',
  '6. The load ends',
  'What you have seen',
  'lost                 nothing',
  'What to look at next',
];

const started: LocalProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((demo) => demo.ended('SIGTERM')));
});

async function start(...args: string[]): Promise<LocalProcess> {
  // What a user has set for a table of his own must not be what is played with.
  const own = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1', MQTT_URL: 'mqtt://127.0.0.1:1' };
  const demo = await LocalProcess.start(own, args, 'hot-demo/main.ts');
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
async function answering({ output }: LocalProcess): Promise<string[]> {
  const urls = [...new Set(output.match(/http:\/\/127\.0\.0\.1:\d+/g))];
  const answers = await Promise.all(urls.map(isAnswering));
  return urls.filter((_, index) => answers[index]);
}

describe('npm run demo:hot', () => {
  it('tells what is throttled, detected, grown and back, in this order, and leaves nothing behind', async () => {
    // Seconds a step: a busy machine takes longer than the demo allows for.
    const demo = await start('--patience', '300');
    await demo.printed('3. Engawa says');
    await demo.printed('/metrics:');
    expect(await answering(demo)).toHaveLength(3);
    expect(await demo.ended()).toBe(0);
    const found = stages.map((stage) => demo.output.indexOf(stage));
    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(demo.output).toMatch(/gets (2|4|8|16|32|64) keys instead of one/);
    expect(demo.output).not.toContain('    at ');
    expect(await answering(demo)).toEqual([]);
  });

  it('says in a sentence what is not as promised where relief is off', async () => {
    const demo = await start('--no-relief', '--patience', '15');
    expect(await demo.ended()).toBe(1);
    const [last] = demo.output.trimEnd().split('\n').slice(-1);
    expect(last).toBe('engawa: not as promised: the hot keys do not get more shards within 15 s');
    expect(await answering(demo)).toEqual([]);
  });

  it('ends all of it when it is interrupted', async () => {
    const demo = await start();
    await demo.printed('/metrics:');
    expect(await demo.ended('SIGINT')).toBe(0);
    expect(demo.output).not.toContain('    at ');
    expect(await answering(demo)).toEqual([]);
  });

  it.each([
    [['--fast'], "engawa: Unknown option '--fast'; npm run demo:hot -- --help lists the options\n"],
    [['--patience', 'x'], 'engawa: --patience must be a whole number of seconds, not "x"\n'],
  ])('says in one line what is wrong with %j', async (args, line) => {
    const demo = await start(...args);
    expect(await demo.ended()).toBe(1);
    expect(demo.output).toBe(line);
  });
});
