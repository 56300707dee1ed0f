import * as catalog from '@engawa/catalog';
import * as ingestion from '@engawa/ingestion';
import * as query from '@engawa/query';
import * as registry from '@engawa/registry';
import { startService } from '@engawa/service';
import { operationsOf, TokenIssuer } from '@engawa/testing';
import { Services } from './services.ts';

describe('services that require tokens', () => {
  let issuer: TokenIssuer;
  let services: Services;
  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    services = await Services.start(issuer.environment);
  });
  afterAll(async () => {
    await services.close();
    await issuer.close();
  });

  it.each(['ingestion', 'registry', 'query', 'catalog'] as const)(
    'reject requests without a token or with a token of another scope, on every route: %s',
    async (name) => {
      const operations = await operationsOf(services.urls[name]);
      const open = operations.filter(({ scope }) => scope === undefined);
      expect(open.map(({ url }) => new URL(url).pathname)).toEqual(['/problems/x']);
      for (const { method, url, scope } of operations.filter((each) => !open.includes(each))) {
        expect(scope).toMatch(new RegExp(`^${name}:(read|write|admin|table)$`));
        const statusWith = async (given: string) => {
          const authorization = `Bearer ${await issuer.token({ scope: given })}`;
          return (await fetch(url, { method, headers: { authorization } })).status;
        };
        expect([method, url, (await fetch(url, { method })).status]).toEqual([method, url, 401]);
        expect([method, url, await statusWith('other:admin')]).toEqual([method, url, 403]);
        expect([401, 403]).not.toContain(await statusWith(String(scope)));
        const isOfTable = scope === 'query:table';
        expect([method, url, (await statusWith(`${name}:admin`)) === 403]).toEqual([
          ...[method, url, isOfTable],
        ]);
      }
    },
  );
});

describe('services without an authentication setting', () => {
  it.each(Object.entries({ ingestion, registry, query, catalog }))(
    'do not start on an address that others can reach: %s',
    async (name, module) => {
      const environment = {
        HOST: '0.0.0.0',
        PORT: '0',
        METRICS_PORT: '0',
        DYNAMODB_ENDPOINT: 'http://127.0.0.1:9',
        AWS_REGION: 'local',
      };
      const logDestination = { write: () => undefined };
      const starting = startService({
        name,
        module: module,
        environment,
        logDestination,
      });
      await expect(starting).rejects.toThrow('AUTH_MODE is not set');
    },
  );
});
