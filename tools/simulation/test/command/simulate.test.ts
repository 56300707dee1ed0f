import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const main = join(__dirname, '../../src/main.ts');
const workspace = resolve(__dirname, '../../../..');

async function simulate(...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { cwd: workspace });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  const code = await new Promise((ended) => child.once('exit', ended));
  return { code, text };
}

describe('npm run simulate', () => {
  it('finds nothing wrong, and plays a seed twice in the same way', async () => {
    const { code, text } = await simulate('--seeds', '2', '--days', '2', '--twice');
    expect(text).toContain('0 of 2 worlds went wrong');
    expect(text).toMatch(/[\d.]+ simulated days a second/);
    expect(code).toBe(0);
  });

  it('tells of what is wrong, with its story and how to play it again', async () => {
    const { code, text } = await simulate(
      ...['--seeds', '1', '--days', '4', '--undo', 'shelly-channels-in-one-field'],
    );
    expect(text).toMatch(/^WRONG /m);
    expect(text).toContain(
      'npm run simulate -- --first 1 --seeds 1 --days 4 --undo shelly-channels-in-one-field',
    );
    expect(code).toBe(1);
  });

  it.each([['--seeds', 'x'], ['--undo', 'nothing'], ['--fast']])(
    'says in a line what is wrong with %s %s',
    async (...args) => {
      const { code, text } = await simulate(...args);
      expect(text).toMatch(/^simulate: .+\n$/);
      expect(code).toBe(1);
    },
  );
});
