import { CredentialSource } from './credential-source.ts';
import type { AwsCredentials } from './credential-source.ts';

let loads: number;
let expiration: Date | undefined;
let source: CredentialSource;

const key = (accessKeyId: string): AwsCredentials => ({
  ...{ accessKeyId, secretAccessKey: 'secret' },
  ...(expiration !== undefined && { expiration }),
});
const open = (minIntervalMs: number, maxLoadMs = 60_000) => {
  source = new CredentialSource({ minIntervalMs, maxLoadMs });
  source.use(() => Promise.resolve(key(`K${++loads}`)));
};
const provided = async () => (await source.provide()).accessKeyId;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

beforeEach(() => {
  [loads, expiration] = [0, undefined];
});

it('loads credentials once for all callers', async () => {
  open(0);
  expect(await Promise.all([provided(), provided(), provided()])).toEqual(['K1', 'K1', 'K1']);
  expect(await provided()).toBe('K1');
});

it('loads rejected credentials again', async () => {
  open(0);
  await provided();
  source.rejected();
  expect(await Promise.all([provided(), provided()])).toEqual(['K2', 'K2']);
  expect(await provided()).toBe('K2');
});

it('limits the rate of loads', async () => {
  open(60_000);
  await provided();
  for (let count = 0; count < 100; count++) {
    source.rejected();
    expect(await provided()).toBe('K1');
  }
  expect(loads).toBe(1);
});

it('renews credentials in the background before they expire', async () => {
  open(0);
  expiration = inMinutes(4);
  await provided();
  expiration = inMinutes(60);
  expect(await provided()).toBe('K1');
  expect(await provided()).toBe('K2');
  expect(await provided()).toBe('K2');
});

it('waits for new credentials where they have expired, and keeps them if there are none', async () => {
  open(0);
  expiration = inMinutes(-1);
  await provided();
  expect(await provided()).toBe('K2');
  source.use(() => Promise.reject(new Error('no provider')));
  expect(await provided()).toBe('K2');
});

it('ends a load without a response, and loads again', async () => {
  open(0, 1);
  source.use(() => new Promise(() => undefined));
  await expect(provided()).rejects.toMatchObject({ name: 'CredentialsProviderError' });
  source.use(() => Promise.resolve(key('LATE')));
  expect(await provided()).toBe('LATE');
});
