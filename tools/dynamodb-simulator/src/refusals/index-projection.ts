import type { ClientRequest } from '../plans/plan.ts';

/** Rejects a Query or Scan of an index for attributes that the index does not have. */
export async function refusedProjection(asked: ClientRequest): Promise<string | undefined> {
  const { operation, body, headers, upstream } = asked;
  const { IndexName: name, ProjectionExpression: expression } = body;
  const isRead = operation === 'Query' || operation === 'Scan';
  if (!isRead || typeof name !== 'string' || typeof expression !== 'string') return undefined;
  const { indexes } = await upstream.table(String(body['TableName']), headers);
  const index = indexes.find((one) => one.name === name);
  if (index?.carried === undefined) return undefined;
  const names = (body['ExpressionAttributeNames'] ?? {}) as Record<string, string>;
  const absent = attributesOf(expression, names).filter((one) => index.carried?.has(one) !== true);
  return absent.length === 0
    ? undefined
    : `One or more parameter values were invalid: Global secondary index ${name} does not project [${absent.join(', ')}]`;
}

/** The first segments of the paths. A placeholder may stand for a name with dots. */
function attributesOf(expression: string, names: Readonly<Record<string, string>>): string[] {
  const first = expression.split(',').map((path) => path.trim().split(/[.[]/, 1)[0] ?? '');
  return [...new Set(first.map((name) => names[name] ?? name))];
}
