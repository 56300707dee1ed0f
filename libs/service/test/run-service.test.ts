import { ChildService } from './child-service.ts';

const children: ChildService[] = [];

function runFixture(environment: NodeJS.ProcessEnv = {}): ChildService {
  const child = new ChildService('main.ts', environment);
  children.push(child);
  return child;
}

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.end()));
});

describe('signals', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'closes in reverse order on %s and ends with 0',
    async (signal) => {
      const child = runFixture({ LOG_LEVEL: 'debug' });
      await child.line('started');
      child.kill(signal);
      const { code, errors, messages } = await child.exited();
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(messages.filter((msg) => msg.endsWith(' closed'))).toEqual([
        'second closed',
        'first closed',
      ]);
      expect(
        child.lines.filter(({ level }) => level === 'debug').map((line) => line['step']),
      ).toEqual(['second', 'first']);
    },
  );

  it('ends at once on a second signal', async () => {
    const child = runFixture({ BEHAVIOUR: 'hang' });
    await child.line('started');
    child.kill('SIGTERM');
    await child.line('second closed');
    child.kill('SIGTERM');
    const { code, messages } = await child.exited();
    expect(code).toBe(1);
    expect(messages.at(-1)).toBe('second signal received: exiting immediately');
    expect(messages).not.toContain('first closed');
  });

  it('aborts a shutdown that exceeds its timeout', async () => {
    const child = runFixture({ BEHAVIOUR: 'hang', SHUTDOWN_TIMEOUT_MS: '50' });
    await child.line('started');
    child.kill('SIGTERM');
    const { code, messages } = await child.exited();
    expect(code).toBe(1);
    expect(messages.at(-1)).toBe('shutdown timed out after 50 ms: exiting');
  });

  it.each([
    ['minds the signal', 'wait', ['interrupted']],
    ['does not', 'waitDeaf', []],
  ])(
    'closes a service that is still starting, where its start %s',
    async (_what, behaviour, more) => {
      const child = runFixture({ BEHAVIOUR: behaviour });
      await child.line('waiting');
      child.kill('SIGTERM');
      expect(await child.exited()).toEqual({
        code: 0,
        errors: '',
        messages: ['waiting', 'closing', ...more, 'first closed', 'closed'],
      });
    },
  );

  it('closes the other parts when one part cannot be closed, and ends with 1', async () => {
    const child = runFixture({ BEHAVIOUR: 'failClosing' });
    await child.line('started');
    child.kill('SIGTERM');
    const { code, messages } = await child.exited();
    expect(code).toBe(1);
    expect(messages.slice(-3)).toEqual(['second closed', 'shutdown step failed', 'first closed']);
  });
});

describe('a start that fails', () => {
  it('reports all invalid settings in one line without a stack', async () => {
    const child = runFixture({ PORT: 'eighty', LOG_LEVEL: 'loud', SHUTDOWN_TIMEOUT_MS: '0' });
    const { code, errors } = await child.exited();
    expect({ code, errors, lines: child.lines.length }).toEqual({ code: 1, errors: '', lines: 1 });
    expect(child.lines[0]).toMatchObject({ level: 'fatal', service: 'fixture' });
    expect(child.lines[0]?.msg.split('\n')).toEqual([
      'LOG_LEVEL is "loud"; it must be one of trace, debug, info, warn, error, fatal',
      'SHUTDOWN_TIMEOUT_MS is "0"; it must be a whole number from 1 to 600000',
      'PORT is "eighty"; it must be a whole number from 0 to 65535',
    ]);
    expect(JSON.stringify(child.lines)).not.toContain('    at ');
  });

  it('closes the opened parts', async () => {
    const child = runFixture({ BEHAVIOUR: 'refuse' });
    const { code, errors, messages } = await child.exited();
    expect({ code, errors }).toEqual({ code: 1, errors: '' });
    expect(messages).toEqual(['the port 8080 is in use: set PORT to another one', 'first closed']);
    expect(JSON.stringify(child.lines)).not.toContain('    at ');
  });

  it('exits with an error when it never settles', async () => {
    const { code, errors } = await runFixture({ BEHAVIOUR: 'waitForNothing' }).exited();
    expect(code).toBe(13);
    expect(errors).toContain('unsettled top-level await');
  });

  it('is not delayed by a part that cannot be closed', async () => {
    const child = runFixture({ BEHAVIOUR: 'refuseAndHang', SHUTDOWN_TIMEOUT_MS: '50' });
    const { code, messages } = await child.exited();
    expect(code).toBe(1);
    expect(messages).toEqual(['no', 'shutdown timed out after 50 ms: exiting']);
  });

  it.each([
    ['info', false],
    ['debug', true],
  ])('shows the stack of an unknown error only at debug (%s)', async (level, withStack) => {
    const child = runFixture({ BEHAVIOUR: 'break', LOG_LEVEL: level });
    expect((await child.exited()).code).toBe(1);
    expect(child.lines[0]).toMatchObject({
      level: 'fatal',
      msg: 'nothing is here: it was never made',
    });
    expect(JSON.stringify(child.lines).includes('    at ')).toBe(withStack);
  });
});

describe('an uncaught error', () => {
  it.each([
    ['throwLater', 'unexpected: thrown later'],
    ['rejectLater', 'unexpected: rejected later'],
    ['rejectWithNothing', 'unexpected: undefined'],
  ])('is logged, everything is closed, and it ends with 1 (%s)', async (behaviour, fatal) => {
    const child = runFixture({ BEHAVIOUR: behaviour });
    const { code, messages } = await child.exited();
    expect(code).toBe(1);
    expect(messages.slice(-3)).toEqual([fatal, 'second closed', 'first closed']);
  });
});
