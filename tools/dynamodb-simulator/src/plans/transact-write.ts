import { beyond } from './beyond.ts';
import { writesOf } from '../refusals/writes-of.ts';
import { capacitiesOf } from './plan.ts';
import { changesOf, chargesOf, readAgain } from './write.ts';
import type { ClientRequest, Plan } from './plan.ts';

/** Each write is prepared and committed (developer guide, "Amazon DynamoDB Transactions: How it works"). */
const factor = 2;

/** TransactWriteItems: atomic, so it is one part; a throttled action cancels the transaction. */
export async function planTransactWrite(asked: ClientRequest): Promise<Plan> {
  const { operation, body, headers, upstream } = asked;
  const planned = await Promise.all(
    writesOf(asked).map(async (write) => {
      const table = await upstream.table(String(write.action['TableName']), headers);
      return changesOf(asked, table, [write]);
    }),
  );
  const changes = planned.flat();
  const actions = changes.map((change) => chargesOf(change, factor));
  const charges = actions.flat();
  return {
    parts: [{ charges }],
    actions,
    async send() {
      const answer = await upstream.ask(operation, body, headers);
      if (answer.status !== 200) return { ...answer, more: [] };
      const written = await readAgain(asked, changes);
      const all = written.flatMap((change) => chargesOf(change, factor));
      return {
        status: 200,
        body: { ...answer.body, ConsumedCapacity: capacitiesOf(asked, all) },
        more: beyond(charges, all),
      };
    },
  };
}
