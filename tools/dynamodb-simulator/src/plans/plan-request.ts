import { planBatchGet } from './batch-get.ts';
import { planBatchWrite } from './batch-write.ts';
import { planRead } from './read.ts';
import { planTransactGet } from './transact-get.ts';
import { planTransactWrite } from './transact-write.ts';
import { planWrite } from './write.ts';
import { Refusal } from '../rules/exceptions.ts';
import type { ClientRequest, Plan } from './plan.ts';

/** All operations that take capacity. Others (tables, PartiQL, streams) are not limited. */
const planners: Readonly<Record<string, (asked: ClientRequest) => Promise<Plan>>> = {
  PutItem: planWrite,
  UpdateItem: planWrite,
  DeleteItem: planWrite,
  BatchWriteItem: planBatchWrite,
  TransactWriteItems: planTransactWrite,
  GetItem: planRead,
  Query: planRead,
  Scan: planRead,
  BatchGetItem: planBatchGet,
  TransactGetItems: planTransactGet,
};

/** A malformed request is sent unchanged, so that the API behind rejects it. */
export async function planRequest(asked: ClientRequest): Promise<Plan> {
  try {
    return (await planners[asked.operation]?.(asked)) ?? passOn(asked);
  } catch (error) {
    if (error instanceof TypeError || error instanceof Refusal) return passOn(asked);
    throw error;
  }
}

function passOn({ operation, body, headers, upstream }: ClientRequest): Plan {
  return {
    parts: [{ charges: [] }],
    async send() {
      if (changesTable(operation)) upstream.forgetTable(String(body['TableName']));
      return { ...(await upstream.ask(operation, body, headers)), more: [] };
    },
  };
}

/** Also of DescribeTable, which tells of changes that others made. */
export function changesTable(operation: string): boolean {
  return operation.endsWith('Table');
}
