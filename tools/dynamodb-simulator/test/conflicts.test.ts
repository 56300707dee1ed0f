import {
  GetItemCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { until } from '@engawa/testing';
import { failureOf, item, SimulatorFixture } from './simulator-fixture.ts';

describe('transactions that lock their items', () => {
  let fixture: SimulatorFixture;
  beforeAll(async () => {
    fixture = await SimulatorFixture.open({ conflicts: { from: 1500, to: 1500 } });
  });
  afterAll(() => fixture.close());

  /** Puts one item, and checks the existence of another one. */
  function transact(put: string, check: string, ClientRequestToken?: string) {
    const ConditionExpression = 'attribute_not_exists(nothing)';
    const TableName = fixture.tableName;
    return fixture.client.send(
      new TransactWriteItemsCommand({
        ClientRequestToken,
        TransactItems: [
          { Put: { TableName, Item: item(put, '1') } },
          { ConditionCheck: { TableName, Key: item(check, '1'), ConditionExpression } },
        ],
      }),
    );
  }

  const counted = () => fixture.simulator.counters.read().faults['conflict'] ?? 0;

  const untilHeld = (key: string) =>
    until('the transaction to hold its items', () =>
      fixture.put(item(key, '1')).then(
        () => false,
        () => true,
      ),
    );

  it('cancel other transactions that write, check or read one of them, and reject single writes', async () => {
    const first = transact('a', 'shared');
    await untilHeld('a');
    const before = counted();
    const codes = (second: Promise<unknown>) =>
      failureOf(second).then(({ CancellationReasons }) =>
        (CancellationReasons as { Code: string }[]).map(({ Code }) => Code),
      );
    const Get = { TableName: fixture.tableName, Key: item('a', '1') };
    const [written, checked, read, single] = await Promise.all([
      codes(transact('shared', 'b')),
      codes(transact('c', 'shared')),
      codes(fixture.client.send(new TransactGetItemsCommand({ TransactItems: [{ Get }] }))),
      failureOf(fixture.put(item('a', '1'))),
    ]);
    expect(written).toEqual(['TransactionConflict', 'None']);
    expect(checked).toEqual(['None', 'TransactionConflict']);
    expect(read).toEqual(['TransactionConflict']);
    expect(single).toMatchObject({ name: 'TransactionConflictException' });
    await first;
    expect(counted()).toBe(before + 4);
    await transact('c', 'shared');
  });

  it('are in progress for other requests with their token', async () => {
    const first = transact('repeated', 'y', 'token');
    await untilHeld('repeated');
    expect(await failureOf(transact('repeated', 'y', 'token'))).toMatchObject({
      name: 'TransactionInProgressException',
    });
    await first;
  });

  it('show the former items to reads, and do not block other items', async () => {
    const first = transact('d', 'e');
    await untilHeld('e');
    const get = new GetItemCommand({ TableName: fixture.tableName, Key: item('d', '1') });
    expect((await fixture.client.send(get)).Item).toBeUndefined();
    await fixture.put(item('f', '1'));
    await first;
    expect((await fixture.client.send(get)).Item).toBeDefined();
  });

  it('lock nothing after conflicts were disabled', async () => {
    fixture.simulator.setConflicts(undefined);
    const before = counted();
    await Promise.all([transact('g', 'x'), transact('h', 'x'), transact('i', 'x')]);
    expect(counted()).toBe(before);
  });
});
