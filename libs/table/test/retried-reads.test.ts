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

interface Read {
  operation: string;
  output: object;
  read: (signal?: AbortSignal) => Promise<unknown>;
}

const key = { pk: 'P', sk: 'S' };
const item = { pk: { S: 'P' }, sk: { S: 'S' }, n: { N: '1.50' } };
const reads: readonly Read[] = [
  {
    operation: 'Query',
    output: { Items: [item], Count: 1 },
    read: async (signal) => {
      const [found] = (await table.query({ pk: 'P', ...(signal && { signal }) })).items;
      return found;
    },
  },
  {
    operation: 'GetItem',
    output: { Item: item },
    read: (signal) => table.get(key, signal && { signal }),
  },
  {
    operation: 'BatchGetItem',
    output: { Responses: { t: [item] } },
    read: async (signal) => (await table.getAll([key], signal && { signal })).items[0],
  },
];

const failure = (name: string, status = 400): Response => ({
  status,
  body: JSON.stringify({ __type: type + name, message: 'no' }),
});

describe.each(reads)('$operation', ({ operation, output, read }) => {
  /** Responds with the failure so many times, then with the item. */
  function failFirst(times: number, response: Response): void {
    const success: Response = { status: 200, body: JSON.stringify(output) };
    let left = times;
    fixture.respond = () => (left-- > 0 ? response : success);
  }

  const attempts = () => metric(registry, 'engawa_table_attempts_total', { operation });

  it.each<[string, Response]>([
    ['is throttled', failure('ProvisionedThroughputExceededException')],
    ['meets an error of the server', failure('InternalServerError', 500)],
    ['meets a busy proxy', { status: 503, body: '<html>busy</html>' }],
  ])('is sent again when it %s', async (_, response) => {
    failFirst(2, response);
    expect(await read()).toEqual({ ...key, n: 1.5 });
    expect(await attempts()).toBe(3);
  });

  it('fails after three attempts', async () => {
    failFirst(3, failure('ProvisionedThroughputExceededException'));
    expect(await thrown(read())).toMatchObject({ code: 'table-throttled' });
    expect(await attempts()).toBe(3);
  });

  it('is not sent again when DynamoDB rejects it', async () => {
    failFirst(1, failure('ValidationException'));
    await thrown(read());
    expect(await attempts()).toBe(1);
  });

  it('is signed again with the time of DynamoDB', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    failFirst(1, { ...failure('InvalidSignatureException'), headers: { date } });
    await read();
    expect(await attempts()).toBe(2);
  });

  it('is not sent again after its caller has aborted it', async () => {
    const abortion = new AbortController();
    fixture.respond = () => {
      abortion.abort(new Error('gone'));
      return failure('InternalServerError', 500);
    };
    const error = await thrown(read(abortion.signal));
    expect(error.message).toBe('gone');
    expect(fixture.requests).toHaveLength(1);
  });
});
