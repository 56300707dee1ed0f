import { OperatorError } from '@engawa/errors';
import { z } from 'zod';
import { bareUrl } from './bare-url.ts';
import { loadSettings } from './load-settings.ts';

function problems(shape: z.ZodRawShape, environment: NodeJS.ProcessEnv): string[] {
  try {
    loadSettings(z.object(shape), environment);
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as OperatorError).message.split('\n');
  }
  return [];
}

describe('values', () => {
  it('converts the variables, adds defaults, and ignores undeclared variables', () => {
    const schema = z.object({
      PORT: z.coerce.number().default(8080),
      NAMES: z.string().transform((text) => text.split(',')),
      HOST: z.string().optional(),
    });
    expect(loadSettings(schema, { PORT: '1', NAMES: 'a,b', OTHER: 'x' })).toEqual({
      PORT: 1,
      NAMES: ['a', 'b'],
    });
  });

  it.each(['', ' ', '\n'])('takes %j as not set', (empty) => {
    const schema = z.object({ PORT: z.coerce.number().default(8080), HOST: z.string().optional() });
    expect(loadSettings(schema, { PORT: empty, HOST: empty })).toEqual({ PORT: 8080 });
    expect(problems({ NAME: z.string() }, { NAME: empty })).toEqual([
      'NAME is not set; it must be text',
    ]);
  });
});

describe('invalid settings', () => {
  it.each<[string, z.ZodType, string, string]>([
    ['a number', z.coerce.number(), 'x', 'a number'],
    ['a whole number', z.coerce.number().int(), '1.5', 'a whole number'],
    ['a range', z.coerce.number().int().min(0).max(9), '10', 'a whole number from 0 to 9'],
    ['a least', z.coerce.number().min(2), '1', 'a number, at least 2'],
    ['an open range', z.coerce.number().gt(0).lt(1), '1', 'a number, more than 0 and less than 1'],
    ['a most', z.coerce.number().max(2), '3', 'a number, at most 2'],
    ['a choice', z.enum(['5', '3.1.1']), '4', 'one of 5, 3.1.1'],
    ['a constant', z.literal('on'), 'off', 'on'],
    ['a URL', z.url(), 'x', 'a URL'],
    [
      'a scheme',
      z.url({ protocol: /^mqtts?$/ }),
      'x://y',
      'a URL with a scheme that matches ^mqtts?$',
    ],
    ['a pattern', z.string().regex(/^[a-z]+$/), 'A', 'text that matches ^[a-z]+$'],
    ['a length', z.string().min(2).max(3), 'x', 'text of 2 to 3 characters'],
    ['a least length', z.string().min(2), 'x', 'text of at least 2 characters'],
    ['a most length', z.string().max(2), 'xxx', 'text of at most 2 characters'],
    ['a default beneath', z.coerce.number().min(1).default(5), '0', 'a number, at least 1'],
  ])('report the expected %s', (_what, setting, value, expected) => {
    expect(problems({ NAME: setting }, { NAME: value })).toEqual([
      `NAME is ${JSON.stringify(value)}; it must be ${expected}`,
    ]);
  });

  it('are reported once per variable, in the order of declaration', () => {
    const shape = {
      FIRST: z.coerce.number().int().min(10).multipleOf(7),
      SECOND: z.string(),
      THIRD: z.string().max(1),
    };
    expect(problems(shape, { FIRST: '1.5', THIRD: 'xx' })).toEqual([
      'FIRST is "1.5"; it must be a whole number, at least 10',
      'SECOND is not set; it must be text',
      'THIRD is "xx"; it must be text of at most 1 characters',
    ]);
  });

  it('keep the message of the setting itself, and of a check of two settings', () => {
    const schema = z
      .object({ FROM: z.coerce.number(), TO: z.coerce.number({ error: 'name an hour' }) })
      .refine(({ FROM, TO }) => FROM < TO, { path: ['TO'], error: 'it must be after FROM' })
      .refine(({ FROM, TO }) => FROM + TO < 40, 'FROM and TO are too late');
    expect(() => loadSettings(schema, { FROM: '1', TO: 'x' })).toThrow('TO is "x"; name an hour');
    expect(() => loadSettings(schema, { FROM: '30', TO: '20' })).toThrow(
      'TO is "20"; it must be after FROM\nFROM and TO are too late',
    );
  });

  it.each<[string, z.ZodType]>([
    ['outside', z.string().min(32).meta({ secret: true })],
    ['inside', z.string().meta({ secret: true }).min(32).optional()],
    [
      'before a transform',
      z
        .string()
        .meta({ secret: true })
        .min(32)
        .transform((text) => text.length),
    ],
  ])('never show a secret (marked %s)', (_where, setting) => {
    expect(problems({ KEY: setting }, { KEY: 'hunter2' })).toEqual([
      'KEY is not valid (it is a secret and not shown); it must be text of at least 32 characters',
    ]);
  });

  it('escape control characters, truncate long values, and hide credentials in a URL', () => {
    const shape = { NAME: z.enum(['a']) };
    expect(problems(shape, { NAME: 'b\u001b[1m\n' })).toEqual([
      String.raw`NAME is "b\u001b[1m\n"; it must be a`,
    ]);
    expect(problems(shape, { NAME: 'b'.repeat(1000) })).toEqual([
      `NAME is "${'b'.repeat(119)}…"; it must be a`,
    ]);
    expect(problems({ URL: z.url() }, { URL: 'http://me:a/b@c@host/x' })).toEqual([
      'URL is "http://[redacted]@host/x"; it must be a URL',
    ]);
    const bare = { URL: bareUrl(/^wss$/, 'it must be a wss URL') };
    expect(problems(bare, { URL: 'wss://host/mqtt?token=hunter2' })).toEqual([
      'URL is "wss://host/mqtt?[redacted]"; it must be a URL without user, password or token',
    ]);
  });
});
