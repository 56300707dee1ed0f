import { z } from 'zod';
import { httpSettings } from '../settings/http-settings.ts';
import { validationMessage } from './validation-message.ts';

describe('the message about an invalid value', () => {
  it.each([
    [z.coerce.number(), 'ten', 'must be a number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.string(), undefined, 'is required'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.number().min(0).max(9), 10, 'must be at most 9'],
    [z.number().lt(9), 9, 'must be less than 9'],
    [z.number().multipleOf(5), 7, 'must be a multiple of 5'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().max(1), 'ab', 'must have at most 1 character'],
    [z.array(z.int()).min(2), [1], 'must have at least 2 elements'],
    [z.date().min(new Date(0)), new Date(-1), 'must be at least 1970-01-01T00:00:00.000Z'],
    [z.enum(['asc', 'desc']), 'up', 'must be one of asc, desc'],
    [z.literal('PT1H'), 'PT2H', 'must be PT1H'],
    [
      z.iso.datetime(),
      'today',
      'must be a date and time in ISO 8601, such as 2026-11-20T09:00:00Z',
    ],
    [z.string().regex(/^a/), 'b', 'does not match the required pattern'],
    [z.union([z.int(), z.null()]), 'x', 'matches none of the accepted forms'],
    [z.string().refine(() => false), 'x', 'is not valid'],
    [z.string().refine(() => false, 'must rhyme'), 'x', 'must rhyme'],
  ])('%#: says %3$s', (schema: z.ZodType, value: unknown, expected: string) => {
    const result = schema.safeParse(value, { error: validationMessage });
    expect(result.error?.issues.map(({ message }) => message)).toEqual([expected]);
  });
});

describe('the settings', () => {
  const settings = z.object(httpSettings);

  it('have defaults except for the secret and the token issuer', () => {
    expect(settings.parse({})).toEqual({
      HOST: '127.0.0.1',
      PORT: 8080,
      METRICS_PORT: 9464,
      MAX_CONNECTION_AGE_MS: 300_000,
      HOT_PARTITION_PEERS: [],
      REQUEST_DEADLINE_MS: 10_000,
      REQUEST_UNIT_LIMIT: 4000,
      RESPONSE_BYTE_LIMIT: 1_000_000,
      MAX_REQUESTS_IN_FLIGHT: 256,
      MIN_TRANSFER_BYTES_PER_SECOND: 10_000,
      TRANSFER_GRACE_MS: 20_000,
      RATE_LIMIT_PER_MINUTE: 6000,
      TRUSTED_PROXIES: 0,
      ALLOWED_HOSTS: [],
      AUTH_ALGORITHMS: ['RS256', 'ES256'],
      AUTH_TOKEN_TYPES: ['at+jwt'],
      AUTH_CLOCK_TOLERANCE_S: 5,
    });
  });

  it.each([
    { PORT: '65536' },
    { PORT: 'http' },
    { HOST: '' },
    { CURSOR_SECRET: 'short' },
    { AUTH_MODE: 'basic' },
    { AUTH_ISSUER: 'file:///etc' },
    { AUTH_ALGORITHMS: 'RS256,none' },
    { AUTH_ALGORITHMS: 'HS256' },
    { AUTH_TOKEN_TYPES: '' },
    { AUTH_TOKEN_TYPES: 'at+jwt,' },
  ])('refuse %j', (wrong) => {
    expect(settings.safeParse(wrong).success).toBe(false);
  });

  it('have descriptions, and mark the secret', () => {
    for (const setting of Object.values(httpSettings))
      expect(setting.meta()?.description).toBeTruthy();
    expect(httpSettings.CURSOR_SECRET.meta()).toMatchObject({ secret: true });
  });
});
