import { OperatorError } from '@engawa/errors';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { httpSettings } from '../settings/http-settings.ts';
import { httpGuards } from './http-guards.ts';

function guardsOf(environment: Record<string, string>) {
  const lines: { level: number; msg: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[0]);
  const config = z.object(httpSettings).parse(environment);
  const guards = httpGuards({
    name: 'sample',
    config,
    log: pino({}, { write }),
    registry: new Registry(),
  });
  return { needsTokens: guards.tokens !== undefined, lines };
}

const issuer = {
  AUTH_MODE: 'jwt',
  AUTH_ISSUER: 'https://login.example.com',
  AUTH_AUDIENCE: 'engawa',
};

describe('the authentication settings', () => {
  it.each(['127.0.0.1', '127.8.9.1', '::1', 'localhost'])(
    'allow all requests on %s, which only this machine can reach',
    (HOST) => {
      expect(guardsOf({ HOST })).toEqual({ needsTokens: false, lines: [] });
    },
  );

  it.each(['0.0.0.0', '::', '192.0.2.1', '::ffff:192.0.2.1', 'localhost.example.com'])(
    'must be set on %s',
    (HOST) => {
      expect(() => guardsOf({ HOST })).toThrow(OperatorError);
      expect(() => guardsOf({ HOST })).toThrow(
        /AUTH_MODE is not set; set AUTH_MODE to jwt .* or to none/,
      );
    },
  );

  it('allow all requests anywhere with AUTH_MODE=none, with a warning', () => {
    const { needsTokens, lines } = guardsOf({ HOST: '0.0.0.0', AUTH_MODE: 'none' });
    expect([needsTokens, lines.length, lines[0]?.level]).toEqual([false, 1, 40]);
    expect(guardsOf({ AUTH_MODE: 'none' }).lines).toEqual([]);
  });

  it.each(['127.0.0.1', '0.0.0.0'])('require a token on %s', (HOST) => {
    expect(guardsOf({ HOST, ...issuer })).toEqual({ needsTokens: true, lines: [] });
  });

  it('reject an issuer without a mode', () => {
    const { AUTH_ISSUER } = issuer;
    expect(() => guardsOf({ AUTH_ISSUER })).toThrow('AUTH_ISSUER is set, but AUTH_MODE is not');
  });

  it.each([
    [{}, 'AUTH_ISSUER and AUTH_AUDIENCE are not set'],
    [{ AUTH_AUDIENCE: 'a' }, 'AUTH_ISSUER is not set'],
    [{ AUTH_ISSUER: issuer.AUTH_ISSUER }, 'AUTH_AUDIENCE is not set'],
  ])('are incomplete with %j only', (given, message) => {
    const start = () => guardsOf({ AUTH_MODE: 'jwt', ...given });
    expect(start).toThrow(OperatorError);
    expect(start).toThrow(message);
  });
});
