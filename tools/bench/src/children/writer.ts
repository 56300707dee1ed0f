// The second half of the floor: the same items in hand-signed BatchWriteItem requests over undici, 25 each.
import { Pool } from 'undici';
import { serve, usedCpu } from '../serve.ts';
import { signedHeaders } from '../sign.ts';
import { itemOf } from '../workload.ts';
import type { Portion } from '../workload.ts';

/** Items of a request, the most that BatchWriteItem takes. */
const batch = 25;
/** Requests in flight. */
const connections = 8;

export interface WriteInput extends Portion {
  /** Messages of a device that share an item. */
  messagesPerItem: number;
}

export interface WriterMethods {
  /** Microseconds of CPU until all items are stored; making them is not counted. */
  write(input: WriteInput): Promise<number>;
}

interface Argument {
  endpoint: string;
  tableName: string;
}

const { endpoint, tableName } = JSON.parse(process.argv[2] ?? '{}') as Argument;
const pool = new Pool(endpoint, { connections });
const { host } = new URL(endpoint);
const target = 'DynamoDB_20120810.BatchWriteItem';
const credentials = { region: 'local', accessKeyId: 'local', secretAccessKey: 'local' };

/** Whole rounds of all devices: `count` is a multiple of `devices × messagesPerItem`. */
function makeItems({ workload, from, count, messagesPerItem }: WriteInput): object[] {
  const { devices } = workload;
  return Array.from({ length: count / messagesPerItem }, (_, index) => {
    const round = Math.floor(index / devices) * messagesPerItem;
    return itemOf(workload, from + round * devices + (index % devices), messagesPerItem);
  });
}

async function writeBatch(items: readonly object[]): Promise<void> {
  const puts = items.map((Item) => ({ PutRequest: { Item } }));
  const body = JSON.stringify({
    RequestItems: { [tableName]: puts },
    ReturnConsumedCapacity: 'INDEXES',
  });
  const headers = signedHeaders({ host, target, body, ...credentials });
  const answer = await pool.request({ method: 'POST', path: '/', headers, body });
  const { UnprocessedItems } = (await answer.body.json()) as { UnprocessedItems?: object };
  if (answer.statusCode !== 200 || Object.keys(UnprocessedItems ?? {}).length > 0) {
    throw new Error(`the table did not take a batch of the floor: ${answer.statusCode}`);
  }
}

const methods: WriterMethods = {
  write: async (input) => {
    const items = makeItems(input);
    const before = usedCpu();
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < items.length) await writeBatch(items.slice(next, (next += batch)));
    };
    await Promise.all(Array.from({ length: connections }, lane));
    return usedCpu() - before;
  },
};
serve(methods);
