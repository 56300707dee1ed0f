import {
  checkCarried,
  parseQuery,
  queryBounds,
  readExpressions,
} from '../rules/requests/query-request.ts';
import { onlyProjectionOf } from '../rules/requests/projection.ts';
import { queryTerms } from '../plans/query-terms.ts';
import type { ClientRequest } from '../plans/plan.ts';

/** Parameters that expressions have replaced. */
const legacy = ['KeyConditions', 'QueryFilter', 'AttributesToGet'];

/** Checks keys, start key and expressions of a read. Queries of local indexes are not checked. @throws Refusal */
export async function checkReads(asked: ClientRequest): Promise<void> {
  const { operation, body, headers, upstream, expressions, seed: salt } = asked;
  if (operation === 'GetItem') onlyProjectionOf(expressions, body);
  if (operation !== 'Query' && operation !== 'Scan') return;
  const { IndexName } = body;
  const table = await upstream.table(String(body['TableName']), headers);
  const index = table.indexes.find(({ name }) => name === IndexName);
  if (IndexName !== undefined && index === undefined) return;
  if (operation === 'Scan') {
    const { projection } = readExpressions(expressions, body);
    if (index !== undefined) checkCarried(index, projection);
  } else if (legacy.some((name) => body[name] !== undefined)) {
    queryBounds({ table, index, salt }, queryTerms(asked), body['ExclusiveStartKey']);
  } else parseQuery(expressions, { table, index, salt }, body);
}
