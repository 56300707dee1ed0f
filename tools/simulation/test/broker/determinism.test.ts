import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mochi } from '../../src/broker/index.ts';
import { Random } from '../../src/kernel/random.ts';
import { play } from './support/play.ts';
import { randomScript } from './support/script.ts';
import { Simulated } from './support/simulated.ts';

const sources = join(__dirname, '../../src/broker');

it('the broker uses time and random numbers of the simulated world only', () => {
  const files = globSync('**/*.ts', { cwd: sources });
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const text = readFileSync(join(sources, file), 'utf8');
    expect(text).not.toMatch(
      /Date\b|Math\.random|performance|setTimeout|setInterval|setImmediate|nextTick|queueMicrotask|crypto|node:net/,
    );
  }
});

afterEach(() => jest.restoreAllMocks());

it('the same seed produces the same bytes on each connection', async () => {
  const run = async () => {
    // mqtt.js starts its packet identifiers at a random number.
    const clients = new Random(3);
    jest.spyOn(Math, 'random').mockImplementation(() => clients.fraction());
    const simulated = new Simulated(mochi, 7);
    const written: string[][] = [];
    const outcomes = await play(randomScript(new Random(11), 150), () => {
      const stream = simulated.open();
      const bytes: string[] = [];
      written.push(bytes);
      stream.on('data', (chunk: Buffer) => bytes.push(chunk.toString('hex')));
      return stream;
    });
    const settled = simulated.broker.takeSettledDeliveries();
    return { outcomes, written, settled };
  };
  const first = await run();
  expect(first.written.length).toBeGreaterThan(10);
  expect(await run()).toEqual(first);
});
