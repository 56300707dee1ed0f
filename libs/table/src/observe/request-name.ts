import type { ServiceInputTypes } from '@aws-sdk/client-dynamodb';

/** DynamoDB's name of an operation, from the SDK's `GetItemCommand`. */
export function operationOf(commandName = ''): string {
  return commandName.replace(/Command$/, '');
}

/** The index that a request reads, or `table`. */
export function requestedIndex(input: ServiceInputTypes): string {
  return 'IndexName' in input && input.IndexName !== undefined ? input.IndexName : 'table';
}
