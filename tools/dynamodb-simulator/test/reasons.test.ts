import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { failureOf, item, SimulatorFixture } from './simulator-fixture.ts';

let fixture: SimulatorFixture;

beforeEach(async () => {
  fixture = await SimulatorFixture.open();
});
afterEach(() => fixture.close());

describe('each of the sixteen reasons', () => {
  const types = [
    ['provisioned', 'ProvisionedThroughputExceeded'],
    ['onDemandMaximum', 'MaxOnDemandThroughputExceeded'],
    ['account', 'AccountLimitExceeded'],
    ['partition', 'KeyRangeThroughputExceeded'],
  ] as const;
  const uses = [
    ['Table', 'write'],
    ['Index', 'write'],
    ['Table', 'read'],
    ['Index', 'read'],
  ] as const;
  const cases = types.flatMap(([limit, type]) =>
    uses.map(([what, unit]) => ({ limit, type, what, unit })),
  );

  it.each(cases)('$what $unit $type', async ({ limit, type, what, unit }) => {
    const target = what === 'Table' ? 'table' : 'byRank';
    const rates = { [unit]: 0.1 };
    fixture.simulator.setLimits({
      burstSeconds: 5,
      ...(limit === 'partition' ? { partition: rates } : { [limit]: { [target]: rates } }),
    });
    let number = 0;
    const act = () => {
      const sk = String(number++);
      if (unit === 'write') {
        const board = limit === 'partition' ? 'all' : sk;
        const pk = limit === 'partition' && what === 'Table' ? 'hot' : sk;
        return fixture.put(
          item(pk, sk, what === 'Index' ? { board: { S: board }, rank: { S: sk } } : {}),
        );
      }
      const [index, key] = what === 'Index' ? ['byRank', 'board'] : [undefined, 'pk'];
      return fixture.client.send(
        new QueryCommand({
          TableName: fixture.tableName,
          IndexName: index,
          KeyConditionExpression: `${key} = :v`,
          ExpressionAttributeValues: { ':v': { S: 'hot' } },
        }),
      );
    };
    await act();
    const failure = await failureOf(act());
    const reasons = failure['throttlingReasons'] ?? failure['ThrottlingReasons'];
    expect(reasons).toMatchObject([
      { reason: `${what}${unit === 'read' ? 'Read' : 'Write'}${type}` },
    ]);
  });
});
