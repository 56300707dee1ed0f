import { chargesOfBatchGet, chargesOfGet, chargesOfQuery } from './charges-of-reads.ts';
import {
  chargesOfBatchWrite,
  chargesOfDelete,
  chargesOfPut,
  chargesOfTransactWrite,
  chargesOfUpdate,
} from './charges-of-writes.ts';
import type { Charges } from '../items/charged-part.ts';

/** What each operation of the table is charged for, from what was sent and, where there is one, the answer. */
const chargesByOperation = {
  GetItem: chargesOfGet,
  BatchGetItem: chargesOfBatchGet,
  Query: chargesOfQuery,
  PutItem: chargesOfPut,
  UpdateItem: chargesOfUpdate,
  DeleteItem: chargesOfDelete,
  BatchWriteItem: chargesOfBatchWrite,
  TransactWriteItems: chargesOfTransactWrite,
};

/** Each takes the input and output of its own operation. */
type ChargesOf = (input: object, output?: object) => Charges;

const operations = new Map(Object.entries(chargesByOperation) as [string, ChargesOf][]);

/** Undefined for an operation that takes no capacity. The input is in DynamoDB's form (`{S: …}`). */
export function chargesOf(operation: string, input: object, output?: object): Charges | undefined {
  return operations.get(operation)?.(input, output);
}
