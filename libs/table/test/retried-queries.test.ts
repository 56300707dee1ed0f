import { startDirectClientFixture, thrown, type } from './direct-client-fixture.ts';
import { connect, metric } from './table-fixture.ts';
import type { Table } from '../src/index.ts';
import type { DirectClientFixture, Response } from './direct-client-fixture.ts';
import type { Registry } from 'prom-client';

let fixture: DirectClientFixture;
let table: Table;
let registry: Registry;

beforeEach(async () => {
  fixture = await startDirectClientFixture();
  ({ table, registry } = connect('t', fixture.endpoint));
});

afterEach(() => {
  table.close();
  fixture.close();
});

const page: Response = {
  status: 200,
  body: JSON.stringify({ Items: [{ pk: { S: 'P' }, sk: { S: 'S' }, n: { N: '1.50' } }], Count: 1 }),
};

const failure = (name: string, status = 400): Response => ({
  status,
  body: JSON.stringify({ __type: type + name, message: 'no' }),
});

/** Responds with the failure so many times, then with a page. */
function failFirst(times: number, response: Response): void {
  let left = times;
  fixture.respond = () => (left-- > 0 ? response : page);
}

const attempts = () => metric(registry, 'engawa_table_attempts_total', { operation: 'Query' });

describe('a Query', () => {
  it.each<[string, Response]>([
    ['is throttled', failure('ProvisionedThroughputExceededException')],
    ['meets an error of the server', failure('InternalServerError', 500)],
    ['meets a busy proxy', { status: 503, body: '<html>busy</html>' }],
  ])('is sent again when it %s', async (_, response) => {
    failFirst(2, response);
    const { items } = await table.query({ pk: 'P' });
    expect(items).toMatchObject([{ pk: 'P', sk: 'S' }]);
    expect(await attempts()).toBe(3);
  });

  it('fails after three attempts', async () => {
    failFirst(3, failure('ProvisionedThroughputExceededException'));
    expect(await thrown(table.query({ pk: 'P' }))).toMatchObject({ code: 'table-throttled' });
    expect(await attempts()).toBe(3);
  });

  it('is not sent again when DynamoDB rejects it', async () => {
    failFirst(1, failure('ValidationException'));
    await thrown(table.query({ pk: 'P' }));
    expect(await attempts()).toBe(1);
  });

  it('is signed again with the time of DynamoDB', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    failFirst(1, { ...failure('InvalidSignatureException'), headers: { date } });
    await table.query({ pk: 'P' });
    expect(await attempts()).toBe(2);
  });

  it('is not sent again after its caller has aborted it', async () => {
    const abortion = new AbortController();
    fixture.respond = () => {
      abortion.abort(new Error('gone'));
      return failure('InternalServerError', 500);
    };
    const error = await thrown(table.query({ pk: 'P', signal: abortion.signal }));
    expect(error.message).toBe('gone');
    expect(fixture.requests).toHaveLength(1);
  });
});
