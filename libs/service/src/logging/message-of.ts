/**
 * The message of an error, followed by those of its causes. Some errors have no message of their
 * own: a connection that is refused at several addresses is an AggregateError without a message.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = [error.message, error instanceof AggregateError ? error.errors.map(messageOf) : []]
    .flat()
    .filter((text) => text !== '');
  const message = own.length === 0 ? error.name : own.join('; ');
  return error.cause === undefined ? message : `${message}: ${messageOf(error.cause)}`;
}
