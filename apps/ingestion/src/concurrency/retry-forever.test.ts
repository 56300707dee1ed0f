import { Problem } from '@engawa/errors';
import {
  ConditionFailed,
  connectTable,
  ensureTable,
  ItemRejected,
  present,
  TableMetrics,
} from '@engawa/table';
import { startTable } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { retryForever } from './retry-forever.ts';
import type { Table } from '@engawa/table';
import type { StartedTable } from '@engawa/testing';

const log = pino({ enabled: false });
const key = { pk: 'a', sk: 'b' };

let started: StartedTable;
let table: Table;
let closing: AbortController;
/** Number of times that the request was sent. */
let sent: number;

beforeAll(async () => {
  started = await startTable(ensureTable);
  table = connectTable({ ...started.location, metrics: new TableMetrics(new Registry()), log });
  await table.put({ ...key, text: 'no number' });
});
afterAll(async () => {
  table.close();
  await started.close();
});
beforeEach(() => {
  closing = new AbortController();
  sent = 0;
});

function retry<Result>(send: () => Promise<Result>): Promise<Result> {
  return retryForever(
    () => {
      sent += 1;
      return send();
    },
    { log, signal: closing.signal },
  );
}

it.each(['table-throttled', 'table-unavailable', 'too-many-conflicts'] as const)(
  'repeats a request until it succeeds: %s',
  async (code) => {
    await retry(() => (sent < 3 ? Promise.reject(new Problem(code, '')) : Promise.resolve()));
    expect(sent).toBe(3);
  },
);

it('fails at once when DynamoDB rejects an update permanently', async () => {
  const update = () => table.update(key, { add: { text: 1 } });
  await expect(retry(update)).rejects.toThrow(ItemRejected);
  expect(sent).toBe(1);
});

it('fails at once when a condition fails', async () => {
  const update = () => table.update(key, { set: { text: 'x' }, onlyIf: present('other') });
  await expect(retry(update)).rejects.toThrow(ConditionFailed);
  expect(sent).toBe(1);
});

it('fails at once on a defect', async () => {
  await expect(retry(() => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError);
  expect(sent).toBe(1);
});

it('ends when closing begins', async () => {
  const throttled = retry(() => Promise.reject(new Problem('table-throttled', '')));
  closing.abort(new Error('closing'));
  await expect(throttled).rejects.toThrow();
});
