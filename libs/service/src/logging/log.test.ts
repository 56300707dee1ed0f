import { context, trace, TraceFlags } from '@opentelemetry/api';
import { createLog } from './log.ts';

function logInto() {
  const texts: string[] = [];
  const log = createLog({
    name: 'query',
    level: 'info',
    destination: { write: (text) => void texts.push(text) },
  });
  return { log, texts, last: () => JSON.parse(texts.at(-1) ?? '') as Record<string, unknown> };
}

it('writes one line of JSON an event with service, pid and ISO time', () => {
  const { log, texts, last } = logInto();
  log.info({ device: 'meter' }, 'stored');
  log.debug('not at this level');
  expect(texts).toHaveLength(1);
  expect(texts[0]?.indexOf('\n')).toBe((texts[0]?.length ?? 0) - 1);
  const { time, ...rest } = last();
  expect(rest).toEqual({
    level: 'info',
    service: 'query',
    pid: process.pid,
    device: 'meter',
    msg: 'stored',
  });
  expect(new Date(time as string).toISOString()).toBe(time);
});

describe('redaction', () => {
  it('redacts private fields at any depth, in any spelling, in child loggers and in errors', () => {
    const { log, texts, last } = logInto();
    const secret = 'hunter2';
    const error = Object.assign(new Error('refused', { cause: { payload: secret } }), {
      request: { headers: { Authorization: secret, 'set-cookie': [secret] } },
    });
    log.child({ connection: { password: secret } }).error({
      err: error,
      list: [{ token: secret }],
      cause: error,
      secretAccessKey: secret,
    });
    log.error(error);
    log.child({ client: 'one' }).child({ api_key: secret }).info({ COOKIE: secret }, 'said');
    expect(texts.join('')).not.toContain(secret);
    expect(last()).toMatchObject({ client: 'one', api_key: '[redacted]', COOKIE: '[redacted]' });
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({
      connection: { password: '[redacted]' },
      err: { type: 'Error', request: { headers: { Authorization: '[redacted]' } } },
      cause: { message: expect.stringContaining('refused') as string },
      list: [{ token: '[redacted]' }],
    });
  });

  it('leaves other fields unchanged, and the logged objects too', () => {
    const { log, last } = logInto();
    const fields = Object.freeze({
      time_: new Date(0),
      bytes: Buffer.from('a'),
      nothing: null,
      big: 2n,
      list: [1, 'x', [true]],
      password: 'p',
    });
    log.info(fields);
    expect(fields.password).toBe('p');
    expect(last()).toMatchObject({
      time_: '1970-01-01T00:00:00.000Z',
      bytes: { type: 'Buffer', data: [97] },
      nothing: null,
      big: 2,
      list: [1, 'x', [true]],
    });
  });

  it('accepts circular references', () => {
    const { log, texts } = logInto();
    const circle: Record<string, unknown> = { token: 'hunter2' };
    circle['self'] = circle;
    log.info({ circle });
    expect(texts.join('')).toContain('[deeper]');
    expect(texts.join('')).not.toContain('hunter2');
  });
});

it('escapes characters that terminals and line readers interpret, in messages, values and names', () => {
  const { log, texts, last } = logInto();
  const hostile = 'a\n\r\u0000\u001b[2J\u007f\u009b1m\u0085\u2028\u2029\u202eb\u2066';
  log.info({ device: hostile, [hostile]: 1 }, hostile);
  expect(texts[0]?.slice(0, -1)).not.toMatch(
    /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/,
  );
  expect(last()).toMatchObject({ device: hostile, [hostile]: 1, msg: hostile });
});

it('names the active span', () => {
  const { log, last } = logInto();
  const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.SAMPLED };
  const active = trace.setSpanContext(context.active(), span);
  const manager = {
    active: () => active,
    with: () => {
      throw new Error('not used');
    },
    bind: <T>(_context: unknown, target: T) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
  try {
    log.info('stored');
  } finally {
    context.disable();
  }
  expect(last()).toMatchObject({ trace_id: span.traceId, span_id: span.spanId });
  log.info('stored');
  expect(last()).not.toHaveProperty('trace_id');
});
