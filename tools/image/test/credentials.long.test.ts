import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledServices } from './bundled-services.ts';
import { runBuilt, untilReady } from './running-image.ts';
import type { AddressInfo } from 'node:net';
import type { BundledServices } from './bundled-services.ts';

const role = 'arn:aws:iam::123456789012:role/engawa';
const expiration = '2126-01-01T00:00:00Z';
const [AccessKeyId, SecretAccessKey] = ['AKIDEXAMPLE', 'secret'];

let bundled: BundledServices;
let work: string;
let url: string;
/** Paths that the services have requested from the source of credentials. */
let requested: string[];
const source = createServer((request, response) => {
  requested.push(request.url ?? '');
  if (request.url === '/container') {
    const container = { AccessKeyId, SecretAccessKey, Token: 'token', Expiration: expiration };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(container));
    return;
  }
  response.setHeader('content-type', 'text/xml').end(`
    <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
      <AssumeRoleWithWebIdentityResult>
        <Credentials>
          <AccessKeyId>${AccessKeyId}</AccessKeyId>
          <SecretAccessKey>${SecretAccessKey}</SecretAccessKey>
          <SessionToken>token</SessionToken>
          <Expiration>${expiration}</Expiration>
        </Credentials>
        <AssumedRoleUser><Arn>${role}</Arn><AssumedRoleId>id:engawa</AssumedRoleId></AssumedRoleUser>
      </AssumeRoleWithWebIdentityResult>
    </AssumeRoleWithWebIdentityResponse>`);
});

beforeAll(async () => {
  bundled = await bundledServices();
  work = mkdtempSync(join(tmpdir(), 'engawa-credentials-'));
  writeFileSync(join(work, 'token'), 'a token of the cluster');
  writeFileSync(
    join(work, 'profile'),
    `[home]\naws_access_key_id = ${AccessKeyId}\naws_secret_access_key = ${SecretAccessKey}\n`,
  );
  source.listen(0, '127.0.0.1');
  await once(source, 'listening');
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
});
beforeEach(() => (requested = []));
afterAll(async () => {
  source.close();
  rmSync(work, { recursive: true });
  await bundled.close();
});

it.each<[string, () => Record<string, string>, string[]]>([
  ['the environment', () => ({ AWS_ACCESS_KEY_ID: AccessKeyId, AWS_SECRET_ACCESS_KEY: 's' }), []],
  [
    'a profile',
    () => ({ AWS_PROFILE: 'home', AWS_SHARED_CREDENTIALS_FILE: join(work, 'profile') }),
    [],
  ],
  [
    'the container',
    () => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/container` }),
    ['/container'],
  ],
  [
    'a web identity',
    () => ({
      AWS_ROLE_ARN: role,
      AWS_WEB_IDENTITY_TOKEN_FILE: join(work, 'token'),
      AWS_ENDPOINT_URL_STS: url,
    }),
    ['/'],
  ],
])('takes credentials from %s', async (_source, variables, paths) => {
  const { DYNAMODB_ENDPOINT: endpoint = '', ...environment } = bundled.environment;
  const query = runBuilt(bundled.folder, ['query'], {
    ...environment,
    // Unlike DYNAMODB_ENDPOINT, it leaves the credentials to the SDK.
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    ...variables(),
  });
  await untilReady('query', () => query.ports.url('METRICS_PORT'));
  query.kill('SIGTERM');
  expect(await query.ended).toBe(0);
  expect(new Set(requested)).toEqual(new Set(paths));
});
