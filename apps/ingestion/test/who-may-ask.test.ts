import { operationsOf, TokenIssuer } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

describe('a service that asks for tokens', () => {
  let issuer: TokenIssuer;
  let fixture: IngestionFixture;
  beforeAll(async () => {
    [issuer, fixture] = await Promise.all([TokenIssuer.start(), IngestionFixture.open()]);
    await fixture.start(issuer.environment);
  });
  afterAll(async () => {
    await fixture.close();
    await issuer.close();
  });

  it('refuses every route without one, and with one for something else', async () => {
    const operations = await operationsOf(fixture.api);
    const open = operations.filter(({ scope }) => scope === undefined);
    expect(open.map(({ url }) => new URL(url).pathname)).toEqual(['/problems/x']);
    for (const { method, url, scope } of operations.filter((each) => each.scope !== undefined)) {
      expect(scope).toMatch(/^ingestion:(read|write|admin)$/);
      const statusWith = async (given: string) => {
        const authorization = `Bearer ${await issuer.token({ scope: given })}`;
        return (await fetch(url, { method, headers: { authorization } })).status;
      };
      expect([method, url, (await fetch(url, { method })).status]).toEqual([method, url, 401]);
      expect([method, url, await statusWith('other:admin')]).toEqual([method, url, 403]);
      expect([401, 403]).not.toContain(await statusWith(String(scope)));
    }
  });

  it('does not start where others may reach it and nobody said who may', async () => {
    await expect(fixture.start({ HOST: '0.0.0.0' })).rejects.toThrow('AUTH_MODE is not set');
  });
});
