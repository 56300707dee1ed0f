import * as query from '@engawa/query';
import * as rollup from '@engawa/query/rollup';
import * as tableCommand from '@engawa/table/command';
import { startService } from '@engawa/service';
import { askEngine, ListeningPorts, openBeforeAll, openDynamoDb } from '@engawa/testing';
import { browsePatterns } from '../costs/browse-patterns.ts';
import { catalogChangePatterns } from '../costs/catalog-change-patterns.ts';
import { constraintPatterns } from '../costs/constraint-patterns.ts';
import { catalogPatterns } from '../costs/catalog-patterns.ts';
import { groupChangePatterns, groupPatterns } from '../costs/group-patterns.ts';
import { changePatterns } from '../costs/change-patterns.ts';
import { correctionPatterns } from '../costs/correction-patterns.ts';
import { ingestionPatterns } from '../costs/ingestion-patterns.ts';
import { readingPatterns } from '../costs/reading-patterns.ts';
import { registryPatterns } from '../costs/registry-patterns.ts';
import { rollupPatterns } from '../costs/rollup-patterns.ts';
import { otherActions, seedExpiring } from './other-actions.ts';
import { GuardedServices, startGuard } from './guarded-services.ts';
import { policyNames, readPolicy } from './policy.ts';
import type { Grant } from './policy.ts';

const patterns = [
  readingPatterns,
  rollupPatterns,
  registryPatterns,
  catalogPatterns,
  groupPatterns,
  browsePatterns,
  ingestionPatterns,
  changePatterns,
  correctionPatterns,
  catalogChangePatterns,
  constraintPatterns,
  groupChangePatterns,
].flat();

const services = openBeforeAll(() => GuardedServices.start());
const silent = { write: () => undefined };

/** The permissions that a service or task has used, without the resources' common prefix. */
function usedBy(name: string): Grant[] {
  const used = services.guards.get(name)?.used ?? [];
  return [...used].map((grant) => grant.replace(/arn:.*?:table\/[^/]+/, 'TABLE')).toSorted();
}

function allowedTo(name: string): Grant[] {
  return readPolicy(name)
    .Statement.flatMap(({ Action, Resource }) =>
      [Action].flat().flatMap((action) => [Resource].flat().map((one) => `${action} ${one}`)),
    )
    .map((grant) => grant.replace('arn:aws:dynamodb:REGION:ACCOUNT:table/', ''))
    .toSorted();
}

describe('with only the permissions of its policy, each service works:', () => {
  it.each(patterns)('$ask', async ({ prepare, run, gives }) => {
    await prepare?.(services.metered);
    expect(await run(services.metered)).toEqual(gives);
  });

  it.each(Object.entries(otherActions))('%s', async (_, run) => {
    await run(services);
  });

  it('expiring readings are rolled up', async () => {
    await seedExpiring(services.table);
    const guard = await startGuard('rollup', services.started);
    services.guards.set('rollup', guard);
    const environment = { ...services.started.environment, DYNAMODB_ENDPOINT: guard.endpoint };
    const options = { name: 'rollup', module: rollup, environment, logDestination: silent };
    await (await startService(options)).close();
    await guard.close();
  });

  it('the table and a missing index are created', async () => {
    const engine = await openDynamoDb();
    const { endpoint } = engine;
    const tableName = engine.tableNamed('engawa');
    const location = { ...services.started.location, tableName, endpoint };
    const guard = await startGuard('table', { location });
    services.guards.set('table', guard);
    const environment = {
      ...services.started.environment,
      TABLE_NAME: tableName,
      DYNAMODB_ENDPOINT: guard.endpoint,
    };
    const options = { name: 'table', module: tableCommand, environment, logDestination: silent };
    try {
      await (await startService(options)).close();
      // As created by an older version.
      await askEngine(engine.endpoint, 'UpdateTable', {
        TableName: location.tableName,
        GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'gsi2' } }],
      });
      await (await startService(options)).close();
    } finally {
      await guard.close();
      await engine.close();
    }
  });
});

describe('the policies are those of the service accounts', () => {
  it.each(policyNames())('%s was denied no request', (name) => {
    expect([...(services.guards.get(name)?.denied ?? ['was not run'])]).toEqual([]);
  });

  it.each(policyNames())('%s has no permission that it does not need', (name) => {
    expect(allowedTo(name)).toEqual(usedBy(name));
  });

  it.each(policyNames())('%s names its actions and its resources without wildcards', (name) => {
    const grants = allowedTo(name);
    expect(
      grants.filter((grant) => !/^dynamodb:[A-Za-z]+ TABLE(\/index\/gsi[12])?$/.test(grant)),
    ).toEqual([]);
    expect(readPolicy(name).Statement.map(({ Effect }) => Effect)).not.toContain('Deny');
  });
});

it('a missing permission is denied and reported', async () => {
  const guard = await startGuard('query', services.started, 'dynamodb:Query');
  const environment = {
    ...services.started.environment,
    DYNAMODB_ENDPOINT: guard.endpoint,
    PORT: '0',
    METRICS_PORT: '0',
  };
  const ports = new ListeningPorts();
  const options = { name: 'query', module: query, environment, logDestination: ports };
  const service = await startService(options);
  try {
    const answer = await fetch(`${ports.url('PORT')}/v1/devices/meter/latest`);
    expect(answer.status).toBe(503);
    const ready = await fetch(`${ports.url('METRICS_PORT')}/readyz`);
    const { degraded } = (await ready.json()) as { degraded: unknown };
    const reason = 'access denied to dynamodb:Query';
    expect(degraded).toEqual([{ name: 'table', reason }]);
  } finally {
    await service.close();
    await guard.close();
  }
});
