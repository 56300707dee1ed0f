import { compiledCode, findFreePort, isPortFree, startProcess } from '../src/index.ts';
import type { ProcessOptions, RunningProcess } from '../src/index.ts';

function script(source: string): Pick<ProcessOptions, 'name' | 'command'> {
  return { name: 'script', command: [process.execPath, '-e', source] };
}

const forever = 'setInterval(() => 0, 1000);';
const started: RunningProcess[] = [];

async function start(...options: Parameters<typeof startProcess>): Promise<RunningProcess> {
  const running = await startProcess(...options);
  started.push(running);
  return running;
}

afterEach(() => Promise.all(started.splice(0).map((running) => running.end('SIGKILL'))));

it('waits for a text in the output and collects the output of both streams', async () => {
  const source = `console.error('first'); setTimeout(() => console.log('second'), 100); ${forever}`;
  const lines: string[] = [];
  const onLine = (line: string) => lines.push(line);
  const running = await start({ ...script(source), onLine, ready: { output: /second/ } });
  expect(running.isRunning).toBe(true);
  expect(running.output).toBe('first\nsecond\n');
  expect(lines).toEqual(['first', 'second']);
  expect(await running.end()).toBeNull();
  expect(running.isRunning).toBe(false);
});

it.each(['url', 'port'])('waits for a %s', async (kind) => {
  const port = await findFreePort();
  const source = `require('http').createServer((_, answer) => answer.end()).listen(${port}, '127.0.0.1')`;
  const ready = kind === 'url' ? { url: `http://127.0.0.1:${port}/` } : { port };
  const running = await start({ ...script(`setTimeout(() => ${source}, 100)`), ready });
  expect(await isPortFree(port)).toBe(false);
  await running.end();
  expect(await isPortFree(port)).toBe(true);
});

it('waits for the exit code 0', async () => {
  const running = await start({ ...script(`console.log('done')`), ready: 'exited' });
  expect(running.output).toBe('done\n');
  expect(await running.end()).toBe(0);
});

it('quotes the output of a process that ends before it is ready', async () => {
  const failing = { ...script(`console.error('no table'); process.exit(3)`), ready: { port: 1 } };
  await expect(start(failing)).rejects.toThrow('script ended with 3 before it was ready: no table');
});

it('names a program that is not installed', async () => {
  const command = ['no-such-program'] as const;
  await expect(start({ name: 'missing', command, ready: 'exited' })).rejects.toThrow(
    /missing ended with .*no-such-program/,
  );
});

it('ends a process that is not ready in time', async () => {
  const waiting = { ...script(`console.log('waiting'); ${forever}`), ready: { port: 1 } };
  await expect(start({ ...waiting, timeoutMs: 500 })).rejects.toThrow(
    'script is not ready after 500 ms: waiting',
  );
});

it('kills a process that ignores SIGTERM after the grace period', async () => {
  const source = `process.on('SIGTERM', () => console.log('ignored')); console.log('up'); ${forever}`;
  const running = await start({ ...script(source), ready: { output: 'up' } });
  expect(await running.end('SIGTERM', 200)).toBeNull();
  expect(running.output).toBe('up\nignored\n');
});

it('passes the given environment, PATH and the folder of compiled code only', async () => {
  process.env['SECRET_OF_THE_USER'] = 'x';
  const source = 'console.log(Object.keys(process.env).sort().join())';
  const running = await start({ ...script(source), environment: { A: '1' }, ready: 'exited' });
  const names = ['A', ...Object.keys(compiledCode()), 'PATH'];
  expect(running.output).toBe(`${names.join()}\n`);
});
