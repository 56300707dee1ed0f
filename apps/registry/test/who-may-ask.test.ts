import { startService } from '@engawa/service';
import { ensureTable } from '@engawa/table';
import { ListeningPorts, operationsOf, startTable, TokenIssuer } from '@engawa/testing';
import * as module from '../src/start.ts';
import type { RunningService } from '@engawa/service';
import type { StartedTable } from '@engawa/testing';

describe('a service that asks for tokens', () => {
  const ports = new ListeningPorts();
  let issuer: TokenIssuer;
  let table: StartedTable;
  let service: RunningService<unknown>;
  const start = (more: Record<string, string>) =>
    startService({
      name: 'registry',
      module,
      environment: { ...table.environment, PORT: '0', METRICS_PORT: '0', ...more },
      logDestination: ports,
    });
  beforeAll(async () => {
    [issuer, table] = await Promise.all([TokenIssuer.start(), startTable(ensureTable)]);
    service = await start(issuer.environment);
  });
  afterAll(async () => {
    await service.close();
    await table.close();
    await issuer.close();
  });

  it('refuses every route without one, and with one for something else', async () => {
    const operations = await operationsOf(ports.url('PORT'));
    const open = operations.filter(({ scope }) => scope === undefined);
    expect(open.map(({ url }) => new URL(url).pathname)).toEqual(['/problems/x']);
    for (const { method, url, scope } of operations.filter((each) => each.scope !== undefined)) {
      expect(scope).toMatch(/^registry:(read|write|admin)$/);
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
    await expect(start({ HOST: '0.0.0.0' })).rejects.toThrow('AUTH_MODE is not set');
  });
});
