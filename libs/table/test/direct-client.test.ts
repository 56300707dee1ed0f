import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { openBeforeEach } from '@engawa/testing';
import { errorKindOf } from '../src/errors/dynamo-error.ts';
import {
  emptyBatch,
  send,
  signal,
  startDirectClientFixture,
  thrown,
  type,
} from './direct-client-fixture.ts';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

const fixture = openBeforeEach(startDirectClientFixture);

it('sends the body, and returns the response with its metadata', async () => {
  fixture.respond = () => ({
    status: 200,
    headers: { 'x-amzn-requestid': 'R1' },
    body: '{"UnprocessedItems":{}}',
  });
  const { direct } = fixture.openClients();
  const { output } = await send(direct);
  expect(output).toEqual({
    UnprocessedItems: {},
    $metadata: { httpStatusCode: 200, requestId: 'R1' },
  });
  expect(fixture.requests.map((request) => request.body)).toEqual([emptyBatch]);
  expect(fixture.requests[0]?.headers).toMatchObject({
    'x-amz-target': 'DynamoDB_20120810.BatchWriteItem',
    'user-agent': expect.stringMatching(/^engawa\//) as string,
  });
});

it('sends with credentials that were renewed', async () => {
  fixture.respond = () => ({ status: 200, body: '{}' });
  let renewals = 0;
  const credentials = () => {
    renewals += 1;
    // Expired at once, so that each request renews them.
    const expiration = new Date(Date.now() - 1000);
    return Promise.resolve({
      ...{ accessKeyId: `id-${renewals}`, secretAccessKey: 'secret', expiration },
      sessionToken: `token-${renewals}`,
    });
  };
  const { direct } = fixture.openClients({ credentials });
  await send(direct);
  await send(direct);
  const used = fixture.requests.map(({ headers }) => {
    const [, id] = /Credential=id-(\d+)/.exec(String(headers.authorization)) ?? [];
    expect(headers['x-amz-security-token']).toBe(`token-${id}`);
    return id;
  });
  expect(new Set(used).size).toBe(2);
});

it('signs with the time of DynamoDB after a rejected signature', async () => {
  const aheadMs = 600_000;
  fixture.respond = (headers) => {
    const serverTime = Date.now() + aheadMs;
    const [year, month, day, hour, minute, second] = (
      /(....)(..)(..)T(..)(..)(..)/.exec(String(headers['x-amz-date'])) ?? []
    )
      .slice(1)
      .map(Number) as [number, number, number, number, number, number];
    const signedAt = Date.UTC(year, month - 1, day, hour, minute, second);
    const date = { date: new Date(serverTime).toUTCString() };
    if (Math.abs(serverTime - signedAt) < 300_000)
      return { status: 200, headers: date, body: '{}' };
    const error = { __type: `${type}InvalidSignatureException`, message: 'Signature expired' };
    return { status: 400, headers: date, body: JSON.stringify(error) };
  };
  const { direct } = fixture.openClients();
  expect(errorKindOf(await thrown(send(direct)))).toBe('credentials');
  await expect(send(direct)).resolves.toBeDefined();
});

it('finds the endpoint that the SDK finds', async () => {
  const asked: string[] = [];
  const requestHandler = {
    metadata: { handlerProtocol: 'http/1.1' },
    handle: (request: { hostname: string }) => {
      asked.push(request.hostname);
      return Promise.resolve({
        response: { statusCode: 200, headers: {}, body: Buffer.from('{}') },
      });
    },
    destroy: () => undefined,
  };
  const account = { accessKeyId: 'id', secretAccessKey: 'secret', accountId: '123456789012' };
  for (const config of [
    {},
    { region: 'cn-north-1' },
    { useFipsEndpoint: true, region: 'us-east-1' },
    { useDualstackEndpoint: true },
    { credentials: account },
  ]) {
    const options = { ...config, requestHandler } as unknown as Partial<DynamoDBClientConfig>;
    const { sdk, direct } = fixture.openClients({ ...options, endpoint: undefined }, null);
    asked.length = 0;
    await sdk.send(new BatchWriteItemCommand({ RequestItems: { t: [] } }));
    const { host } = await send(direct);
    expect(asked).toEqual([host, host]);
  }
});

it('rejects waiting requests when it is destroyed', async () => {
  const { direct } = fixture.openClients();
  const { promise: blocked, resolve: unblock } = Promise.withResolvers<undefined>();
  const running = Array.from({ length: 4 }, () => direct.bounded(() => blocked, signal));
  const waiting = thrown(direct.bounded(() => blocked, signal));
  direct.destroy();
  expect(errorKindOf(await waiting)).toBe('aborted');
  unblock(undefined);
  await Promise.all(running);
});
