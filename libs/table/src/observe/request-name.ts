import type { ServiceInputTypes } from '@aws-sdk/client-dynamodb';

/** `GetItem` of the SDK's `GetItemCommand`. */
export function operationOf(commandName = ''): string {
  return commandName.replace(/Command$/, '');
}

export function indexAsked(input: ServiceInputTypes): string {
  return 'IndexName' in input && input.IndexName !== undefined ? input.IndexName : 'table';
}
