import {
  codesOf,
  get,
  key,
  outcomeOf,
  put,
  settle,
  simulateTable,
  TableName,
} from './simulated-table.ts';
import type { TableResponse } from '../../src/table/table-endpoint.ts';

const ConditionExpression = 'attribute_not_exists(nothing)';
const transaction = (write: string, check: string) => ({
  TransactItems: [
    { Put: { TableName, Item: key(write) } },
    { ConditionCheck: { TableName, Key: key(check), ConditionExpression } },
  ],
});
const reading = (pk: string) => ({ TransactItems: [{ Get: { TableName, Key: key(pk) } }] });

/** A table with a transaction of 20 ms in progress, which writes `written` and checks `checked`. */
function underWay(token?: string) {
  const table = simulateTable({ transactionMs: { from: 20, to: 20 } });
  const input = { ...transaction('written', 'checked'), ClientRequestToken: token };
  const first = table.endpoint.answer('TransactWriteItems', input);
  return { table, first };
}

describe('a transaction in progress', () => {
  it.each([
    ['PutItem', put('written')],
    ['DeleteItem', { TableName, Key: key('checked') }],
    ['UpdateItem', { TableName, Key: key('written') }],
  ])('rejects %s of its items', async (operation, input) => {
    const { table } = underWay();
    expect(outcomeOf(await table.endpoint.answer(operation, input))).toBe(
      'TransactionConflictException',
    );
    expect(table.endpoint.met.conflict).toBe(1);
  });

  it('cancels other transactions that write, check or read one of its items', async () => {
    const { table } = underWay();
    const ask = (operation: string, input: object) =>
      table.endpoint.answer(operation, { ...input });
    const answers = await Promise.all([
      ask('TransactWriteItems', transaction('checked', 'other')),
      ask('TransactWriteItems', transaction('another', 'written')),
      ask('TransactGetItems', reading('written')),
    ]);
    expect(answers.map(codesOf)).toEqual([
      ['TransactionConflict', 'None'],
      ['None', 'TransactionConflict'],
      ['TransactionConflict'],
    ]);
  });

  it('is invisible to reads and batches until its end', async () => {
    const { table, first } = underWay();
    const read = () => table.endpoint.answer('GetItem', get('written'));
    expect(await read()).toMatchObject({ body: {} });
    expect([...table.model.items()]).toEqual([]);
    await settle();
    await table.play(20);
    expect(outcomeOf(await first)).toBe('200');
    expect(await read()).toMatchObject({ body: { Item: key('written') } });
    expect(outcomeOf(await table.endpoint.answer('PutItem', put('written')))).toBe('200');
  });

  it('is reported as in progress for its token, and later as done', async () => {
    const { table, first } = underWay('token');
    const again = () =>
      table.endpoint.answer('TransactWriteItems', {
        ...transaction('written', 'checked'),
        ClientRequestToken: 'token',
      });
    expect(outcomeOf(await again())).toBe('TransactionInProgressException');
    await settle();
    await table.play(20);
    await first;
    const answers: TableResponse[] = [];
    void again().then((answer) => answers.push(answer));
    await settle();
    await table.play(20);
    expect(answers.map(outcomeOf)).toEqual(['200']);
    expect(table.model.usage.read()['TransactWriteItems']).toMatchObject({ writeUnits: 4 });
  });
});
