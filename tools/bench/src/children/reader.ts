// The baseline of a question: the bare SDK asks for the same items and makes the same plain values
// of them, and that is all.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { serve, usedCpu } from '../serve.ts';

export interface ReadInput {
  pk: string;
  /** Sort keys of the first and the last item, both included; without `to`, all from the first on. */
  from: string;
  to?: string;
  /** Whether the last come first. */
  descending: boolean;
  limit: number;
  /** How often, one after the other. */
  count: number;
}

export interface ReadResult {
  /** Microseconds for all of it. */
  cpu: number;
  /** Milliseconds of each. */
  times: number[];
  /** Of the last answer. */
  items: number;
}

export interface ReaderMethods {
  read(input: ReadInput): Promise<ReadResult>;
}

interface Argument {
  endpoint: string;
  tableName: string;
}

const { endpoint, tableName } = JSON.parse(process.argv[2] ?? '{}') as Argument;
const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  }),
);

async function query({ pk, from, to, descending, limit }: ReadInput): Promise<number> {
  const range = to === undefined ? 'sk >= :from' : 'sk BETWEEN :from AND :to';
  const command = new QueryCommand({
    TableName: tableName,
    KeyConditionExpression: `pk = :pk AND ${range}`,
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ...(to !== undefined && { ':to': to }) },
    ScanIndexForward: !descending,
    Limit: limit,
  });
  return (await client.send(command)).Items?.length ?? 0;
}

const methods: ReaderMethods = {
  read: async (input) => {
    const times: number[] = [];
    let items = 0;
    const before = usedCpu();
    while (times.length < input.count) {
      const start = performance.now();
      items = await query(input);
      times.push(performance.now() - start);
    }
    return { cpu: usedCpu() - before, times, items };
  },
};
serve(methods);
