/**
 * What an error says, with what its causes say. Some errors say nothing themselves: a connection
 * refused on each of several addresses is an AggregateError without a message.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = [error.message, error instanceof AggregateError ? error.errors.map(messageOf) : []]
    .flat()
    .filter((message) => message !== '');
  const said = own.length === 0 ? error.name : own.join('; ');
  return error.cause === undefined ? said : `${said}: ${messageOf(error.cause)}`;
}
