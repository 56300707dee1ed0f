import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dynamoDbError, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { AddressInfo } from 'node:net';
import type { TableProxy } from './table-proxy.ts';

let fixture: IngestionFixture;
let proxy: TableProxy;
let folder: string;
const environment = { ...process.env };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'engawa-credentials-'));
  fixture = await IngestionFixture.open();
  proxy = await fixture.openProxy();
});
afterEach(async () => {
  await fixture.close();
  process.env = { ...environment };
  rmSync(folder, { recursive: true });
});

/** The AWS profile that the service uses. Without AWS_ACCESS_KEY_ID it signs with placeholders at http endpoints. */
function useProfile(name: string, files: Record<string, string>): void {
  process.env = { ...environment, ...files, AWS_PROFILE: name, AWS_ACCESS_KEY_ID: 'unused' };
}

const send = (device: string, time = Date.now()) =>
  fixture.publish(`engawa/${device}/readings`, JSON.stringify([{ ts: time, x: 1 }]));
const stored = async (device: string) => (await fixture.readingsOf(device)).length;

/** Requests of this key are rejected; readings of a known and of a new device are stored with the next key. */
async function expectRenewal(rejected: string, name: string, renew: () => void): Promise<void> {
  await send('known');
  await until('the reading', async () => (await stored('known')) === 1);
  let rejections = 0;
  proxy.fateOf = ({ accessKeyId }) => {
    if (accessKeyId !== rejected) return 'answered';
    rejections += 1;
    return dynamoDbError(name);
  };
  await Promise.all([send('known'), send('new')]);
  await until('a rejection', () => rejections > 3);
  renew();
  await until(
    'the readings',
    async () => (await stored('known')) === 2 && (await stored('new')) === 1,
  );
  await until(
    'a ready service',
    () => fixture.service?.context.readiness.unavailableReasons().length === 0,
  );
}

it('a rotated key file is read again, without a restart', async () => {
  const file = join(folder, 'credentials');
  const write = (key: string) =>
    writeFileSync(file, `[rotated]\naws_access_key_id=${key}\naws_secret_access_key=secret\n`);
  write('OLD');
  useProfile('rotated', { AWS_SHARED_CREDENTIALS_FILE: file });
  await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
  await expectRenewal('OLD', 'UnrecognizedClientException', () => write('NEW'));
});

it('an expired token of a role is renewed although it is valid by the clock of this machine', async () => {
  let issued = 0;
  const service = createServer((request, response) => {
    request.resume();
    issued += 1;
    response.end(tokenResponse(`KEY${issued}`, new Date(Date.now() + 3_600_000)));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, 'token');
  const config = join(folder, 'config');
  writeFileSync(
    config,
    `[profile role]\nregion=eu-west-1\nrole_arn=arn:aws:iam::123456789012:role/engawa\nweb_identity_token_file=${tokenFile}\n`,
  );
  useProfile('role', {
    AWS_CONFIG_FILE: config,
    AWS_ENDPOINT_URL_STS: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  });
  try {
    await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
    await expectRenewal('KEY1', 'ExpiredTokenException', () => undefined);
    expect(issued).toBe(2);
  } finally {
    service.close();
    service.closeAllConnections();
  }
});

function tokenResponse(key: string, expiration: Date): string {
  return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>${key}</AccessKeyId>
  <SecretAccessKey>secret</SecretAccessKey><SessionToken>session</SessionToken>
  <Expiration>${expiration.toISOString()}</Expiration></Credentials>
  <AssumedRoleUser><AssumedRoleId>A:b</AssumedRoleId><Arn>arn:aws:sts::123456789012:assumed-role/engawa/b</Arn></AssumedRoleUser>
  </AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
}
