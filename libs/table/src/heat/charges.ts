import { chargesOfBatchGet, chargesOfGet, chargesOfQuery } from './charges-of-reads.ts';
import {
  chargesOfBatchWrite,
  chargesOfDelete,
  chargesOfPut,
  chargesOfTransactWrite,
  chargesOfUpdate,
} from './charges-of-writes.ts';
import type { RequestCharges } from '../items/charged-part.ts';

/** The charge of each operation, from its input and, after success, its output. */
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

/** Takes the input and output of its own operation, in DynamoDB's form (`{S: …}`). */
type ChargesOf = (input: object, output?: object) => RequestCharges;

const operations = new Map(Object.entries(chargesByOperation) as [string, ChargesOf][]);

/** Undefined for an operation that takes no capacity units. */
export function chargesOf(
  operation: string,
  input: object,
  output?: object,
): RequestCharges | undefined {
  return operations.get(operation)?.(input, output);
}
