import type { Grant, TableLocation } from './policy.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * The permissions that IAM requires for a request. A transaction has no permission of its own, its
 * actions have (DynamoDB developer guide, "Using IAM with DynamoDB transactions"); a batch needs
 * one per table.
 */
export function demandsOf(
  operation: string,
  body: Body,
  place: Pick<TableLocation, 'region' | 'account'>,
): Grant[] {
  const demand = (action: string, table: unknown, index?: unknown): Grant => {
    const indexPath = typeof index === 'string' ? `/index/${index}` : '';
    const { region, account } = place;
    return `dynamodb:${action} arn:aws:dynamodb:${region}:${account}:table/${String(table)}${indexPath}`;
  };
  switch (operation) {
    case 'TransactWriteItems':
      return (body['TransactItems'] as Body[]).flatMap((item) =>
        Object.entries(item).map(([kind, part]) =>
          demand(actionOfPart(kind), (part as Body)['TableName']),
        ),
      );
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.keys(body['RequestItems'] as Body).map((table) => demand(operation, table));
    default:
      return [demand(operation, body['TableName'], body['IndexName'])];
  }
}

function actionOfPart(kind: string): string {
  const action = { Put: 'PutItem', Update: 'UpdateItem', Delete: 'DeleteItem' }[kind];
  return action ?? `${kind}Item`; // ConditionCheck
}
