import { startServiceProcess } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { describeWith, openBeforeEach, startTable, TokenIssuer } from '@engawa/testing';
import { ConnectProxy } from './connect-proxy.ts';
import { hosts, OutsideWorld } from './outside-world.ts';
import type { StartedTable } from '@engawa/testing';

const issuerUrl = `https://${hosts.issuer}`;

describeWith(['openssl'], 'a service behind an HTTP proxy', () => {
  let started: StartedTable;
  let issuer: TokenIssuer;
  let outside: OutsideWorld;

  beforeAll(async () => {
    [started, issuer] = await Promise.all([startTable(ensureTable), TokenIssuer.start()]);
    const table = started.location.endpoint;
    outside = await OutsideWorld.start({ table, keys: issuer.keysUrl });
  });
  const proxy = openBeforeEach(() => ConnectProxy.start(outside.port));
  afterAll(async () => {
    await outside.close();
    await issuer.close();
    await started.close();
  });

  /** Of query, which gets its credentials from STS. */
  const environment = () => ({
    ...{ PATH: process.env['PATH'], TABLE_NAME: started.location.tableName },
    ...{ AWS_REGION: 'us-east-1', AWS_EC2_METADATA_DISABLED: 'true' },
    DYNAMODB_ENDPOINT: `https://${hosts.table}`,
    AWS_ROLE_ARN: 'arn:aws:iam::111122223333:role/engawa-query',
    AWS_WEB_IDENTITY_TOKEN_FILE: outside.identity,
    AWS_ENDPOINT_URL_STS: `https://${hosts.sts}`,
    ...{ AUTH_MODE: 'jwt', AUTH_ISSUER: issuerUrl, AUTH_AUDIENCE: 'engawa' },
    AUTH_JWKS_URL: `${issuerUrl}/keys`,
    NODE_EXTRA_CA_CERTS: outside.certificate,
    ...{ NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: proxy.url, NO_PROXY: hosts.direct },
  });

  it('reaches the table, AWS STS and the token issuer through it', async () => {
    const query = await startServiceProcess({ service: 'query', environment: environment() });
    try {
      const token = await issuer.token({ iss: issuerUrl, scope: 'query:read' });
      const answer = await fetch(`${query.url}/v1/devices/absent/latest`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(404);
      expect([...proxy.hosts].toSorted()).toEqual([hosts.issuer, hosts.sts, hosts.table]);
    } finally {
      await query.end();
    }
  });

  it('reaches hosts of NO_PROXY without it', async () => {
    const query = await startServiceProcess({
      service: 'query',
      environment: {
        ...environment(),
        DYNAMODB_ENDPOINT: `https://${hosts.direct}:${outside.port}`,
      },
    });
    await query.end();
    expect([...proxy.hosts].toSorted()).toEqual([hosts.issuer, hosts.sts]);
  });
});
