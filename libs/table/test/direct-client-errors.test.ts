import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { openBeforeEach } from '@engawa/testing';
import { errorKindOf } from '../src/errors/dynamo-error.ts';
import { send, startDirectClientFixture, thrown, type } from './direct-client-fixture.ts';
import type { Response } from './direct-client-fixture.ts';

const fixture = openBeforeEach(startDirectClientFixture);

const reasons = [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: 'arn' }];

it.each<[string, Response]>([
  [
    'throttled, with reasons',
    {
      status: 400,
      body: JSON.stringify({
        __type: `${type}ProvisionedThroughputExceededException`,
        message: 'slow down',
        ThrottlingReasons: reasons,
      }),
    },
  ],
  [
    'throttled, in lower case',
    {
      status: 400,
      body: JSON.stringify({
        __type: `${type}ThrottlingException`,
        message: 'slow down',
        throttlingReasons: reasons,
      }),
    },
  ],
  [
    'an invalid item',
    {
      status: 400,
      body: '{"__type":"com.amazon.coral.validate#ValidationException","Message":"no"}',
    },
  ],
  [
    'its type in the header',
    {
      status: 400,
      headers: { 'x-amzn-errortype': 'ResourceNotFoundException:http://internal.amazon.com/' },
      body: '{"message":"no table"}',
    },
  ],
  ['an error of the server', { status: 500, body: '{"__type":"InternalServerError"}' }],
  ['a proxy that sends HTML', { status: 503, body: '<html>busy</html>' }],
  ['a proxy that sends HTML as a success', { status: 200, body: '<html>login</html>' }],
  ['an empty error', { status: 500, body: '' }],
  ['an unknown error', { status: 400, body: '{}' }],
])('fails as the SDK does: %s', async (_name, response) => {
  fixture.respond = () => response;
  const { sdk, direct } = fixture.openClients();
  const expected = await thrown(sdk.send(new BatchWriteItemCommand({ RequestItems: { t: [] } })));
  const error = await thrown(send(direct));
  expect(errorKindOf(error)).toBe(errorKindOf(expected));
  const { ThrottlingReasons, throttlingReasons } = expected as unknown as Record<string, unknown>;
  expect(error).toMatchObject({
    $metadata: { httpStatusCode: response.status },
    ...(ThrottlingReasons !== undefined && { ThrottlingReasons }),
    ...(throttlingReasons !== undefined && { throttlingReasons }),
  });
  if (errorKindOf(expected) !== 'server_error' && errorKindOf(expected) !== 'unknown')
    expect([error.name, error.message]).toEqual([expected.name, expected.message]);
});

it('fails with the error of a connection that ends within the response', async () => {
  fixture.respond = () => {
    // After the first bytes of the body.
    setImmediate(() => setImmediate(() => fixture.requests[0]?.socket.destroy()));
    return { status: 200, headers: { 'content-length': '1000' }, body: '{"Unprocessed' };
  };
  const { direct } = fixture.openClients();
  expect(errorKindOf(await thrown(send(direct)))).toBe('unreachable');
});
