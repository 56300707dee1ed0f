import type { RawClient } from './raw-client.ts';
import type { Simulated } from './simulated.ts';

/** Connects a subscriber with a session that outlives its connection. */
export async function subscriber(
  simulated: Simulated,
  clientId = 'one',
  ...filters: string[]
): Promise<RawClient> {
  const client = await simulated.lasting(clientId);
  client.subscribe(filters.length === 0 ? ['a'] : filters);
  await simulated.settle();
  return client;
}

/** Cuts a client's connection. */
export async function gone(simulated: Simulated, clientId: string): Promise<void> {
  simulated.broker.cut(clientId, 'reset');
  await simulated.settle();
}

/** DUP flags of the received messages. */
export function dups(client: RawClient): boolean[] {
  return client.of('publish').map(({ dup }) => dup);
}
