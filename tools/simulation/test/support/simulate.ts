import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const main = join(__dirname, '../../src/main.ts');
const workspace = resolve(__dirname, '../../../..');

/** Runs `npm run simulate` with these arguments. @returns the exit code and the printed text */
export async function simulate(...args: string[]): Promise<{ code: unknown; text: string }> {
  const child = spawn(process.execPath, [main, ...args], { cwd: workspace });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  const code = await new Promise((ended) => child.once('close', ended));
  return { code, text };
}
