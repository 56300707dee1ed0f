import { TokenIssuer } from '@engawa/testing';
import { z } from 'zod';
import { route } from '../src/route/route.ts';
import { startApp } from './start-app.ts';
import type { StartAppOptions, StartedApp } from './start-app.ts';
import type { Scope } from '../src/route/caller.ts';
import type { Method } from '../src/route/route.ts';

const does = (method: Method, path: string, scope?: Scope) =>
  route({
    method,
    path,
    operationId: `${method}${path.replaceAll('/', '_')}`,
    summary: 'Says yes',
    ...(scope && { scope }),
    responses: { 200: { description: 'Yes', schema: z.strictObject({}) } },
    handle: () => ({ status: 200, body: {} }),
  });

const routes = [
  does('get', '/v1/things'),
  does('put', '/v1/things'),
  does('delete', '/v1/things', 'admin'),
  does('post', '/v1/questions', 'read'),
  does('get', '/v1/table', 'table'),
];

/** An app called `sample` that requires tokens of an issuer. */
export class GuardedApp {
  readonly issuer: TokenIssuer;
  readonly app: StartedApp;

  static async start(more: Partial<StartAppOptions> = {}): Promise<GuardedApp> {
    const issuer = await TokenIssuer.start();
    const environment = { ...issuer.environment, ...more.environment };
    return new GuardedApp(issuer, await startApp({ routes, ...more, environment }));
  }

  private constructor(issuer: TokenIssuer, app: StartedApp) {
    this.issuer = issuer;
    this.app = app;
  }

  /** Sends this Authorization header; by default a valid token for reading. */
  async ask(authorization?: string, { method = 'GET', path = '/v1/things' } = {}) {
    const given = authorization ?? `Bearer ${await this.issuer.token({ scope: 'sample:read' })}`;
    const headers = given === '' ? {} : { authorization: given };
    const answer = await fetch(this.app.url + path, { method, headers });
    const body = (await answer.json()) as { type?: string; detail?: string };
    return {
      status: answer.status,
      type: body.type,
      detail: body.detail,
      challenge: answer.headers.get('www-authenticate'),
      left: /r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1],
    };
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.issuer.close();
  }
}
