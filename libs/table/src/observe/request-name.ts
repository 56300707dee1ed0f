/** DynamoDB's name of an operation, from the SDK's `GetItemCommand`. */
export function operationOf(commandName = ''): string {
  return commandName.replace(/Command$/, '');
}

/** The index that a request reads, or `table`. */
export function requestedIndex(input: object): string {
  return 'IndexName' in input && typeof input.IndexName === 'string' ? input.IndexName : 'table';
}
