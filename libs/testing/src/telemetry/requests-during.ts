import { Metrics } from './metrics.ts';

/** All DynamoDB operations, including operations that a service must not use. */
const operations = [
  'GetItem',
  'Query',
  'UpdateItem',
  'PutItem',
  'BatchGetItem',
  'BatchWriteItem',
  'DeleteItem',
  'TransactWriteItems',
  'Scan',
];

/** DynamoDB requests of a service during the action by operation, from its metrics. */
export async function requestsDuring(
  metricsUrl: string,
  action: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await requests(metricsUrl);
  await action();
  const after = [...(await requests(metricsUrl))];
  const made = after.map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(made.filter(([, count]) => count > 0));
}

/** All metrics in one scrape, so that concurrent changes are in all of them or in none. */
async function requests(metricsUrl: string): Promise<Map<string, number>> {
  const metrics = await Metrics.of(metricsUrl);
  const attempts = (labels: Record<string, string>) =>
    metrics.sum('engawa_table_attempts_total', labels);
  const counts = operations.map((operation) => {
    // Retried attempts, on a slow machine, count as one request.
    const count = attempts({ operation }) - attempts({ operation, outcome: 'timeout' });
    return [operation, count] as const;
  });
  const made = new Map(counts);
  // The shard map is polled, not read by a request.
  return made.set('Query', (made.get('Query') ?? 0) - metrics.sum('engawa_shard_map_reads_total'));
}
