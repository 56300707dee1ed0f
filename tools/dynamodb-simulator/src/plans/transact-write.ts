import { beyond, consumedCapacity } from '../charge.ts';
import { keyOf } from '../schema.ts';
import { capacityDetail } from './plan.ts';
import { chargesOf, expectedAfter } from './write.ts';
import type { Item } from '../attribute.ts';
import type { Charge } from '../charge.ts';
import type { Throttle } from '../limits.ts';
import type { DynamoDbResponse, Document } from '../upstream.ts';
import type { Change } from './write.ts';
import type { ClientRequest, Plan } from './plan.ts';

interface Action extends Document {
  TableName: string;
  Item?: Item;
  Key?: Item;
}
type TransactItem = Record<string, Action>;

/** Each write is prepared and committed (developer guide, "Amazon DynamoDB Transactions: How it works"). */
const factor = 2;

/** TransactWriteItems: atomic, so it is one part; a throttled action cancels the transaction. */
export async function planTransactWrite(asked: ClientRequest): Promise<Plan> {
  const { operation, body, headers, upstream } = asked;
  const items = body['TransactItems'] as TransactItem[];
  const changes = await Promise.all(items.map((item) => changeOf(asked, item)));
  const chargesByAction = changes.map((change) => chargesOf(change, factor));
  const charges = chargesByAction.flat();
  return {
    parts: [{ charges }],
    async send() {
      const answer = await upstream.ask(operation, body, headers);
      if (answer.status !== 200) return { ...answer, more: [] };
      const after = await Promise.all(changes.map((change) => changed(asked, change)));
      const all = after.flatMap((change) => chargesOf(change, factor));
      delete answer.body['ConsumedCapacity'];
      return {
        status: 200,
        body: { ...answer.body, ...told(asked, all) },
        more: beyond(charges, all),
      };
    },
    cancelled: (throttle) => cancelled(throttle, chargesByAction),
  };
}

async function changeOf({ headers, upstream }: ClientRequest, item: TransactItem): Promise<Change> {
  const [[kind, action] = ['', undefined]] = Object.entries(item);
  const table = await upstream.table(action?.TableName ?? '', headers);
  const key = keyOf(table.key, action?.Item ?? action?.Key ?? {});
  const [before] = await upstream.items(table, [key], headers);
  return { table, key, before, after: expectedAfter(kind, before, { ...action, Key: key }) };
}

async function changed({ headers, upstream }: ClientRequest, change: Change): Promise<Change> {
  const [after] = await upstream.items(change.table, [change.key], headers);
  return { ...change, after };
}

function told(asked: ClientRequest, charges: readonly Charge[]) {
  const detail = capacityDetail(asked);
  if (detail === 'NONE') return {};
  const tables = [...Map.groupBy(charges, ({ table }) => table)];
  return { ConsumedCapacity: tables.map(([table, own]) => consumedCapacity(table, own, detail)) };
}

/** DynamoDB names no reason of throttling here, only a code for each action. */
function cancelled(
  { charge, type }: Throttle,
  chargesByAction: readonly Charge[][],
): DynamoDbResponse {
  const isProvisioned = type === 'ProvisionedThroughputExceeded';
  const throttled = {
    Code: isProvisioned ? 'ProvisionedThroughputExceeded' : 'ThrottlingError',
    Message: 'Throughput exceeds the current capacity of your table or index.',
  };
  const reasons = chargesByAction.map((charges) =>
    charges.includes(charge) ? throttled : { Code: 'None' },
  );
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  const __type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
  return { status: 400, body: { __type, Message: message, CancellationReasons: reasons } };
}
