import { lengthOf, search } from './pattern.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

function ranking(services: MeteredServices, question: Record<string, string | number>) {
  return lengthOf(services, ['catalog', `/v1/rankings/Run/byWeek?${search(question)}`], 'items');
}

async function patch(services: MeteredServices, id: string, attributes: object): Promise<number> {
  const request = { method: 'PATCH', body: { attributes } };
  return (await services.ask('catalog', `/v1/entities/Run/${id}`, request)).status;
}

/** Queries of rankings per period. */
export const periodPatterns: Pattern[] = [
  {
    ask: 'top 10 of a ranking in one week',
    how: 'gsi2',
    requests: 'shards',
    expected: { 'Query gsi2': 1 },
    run: (services) => ranking(services, { period: '2026-W48', limit: 10 }),
    gives: 3,
  },
];

/** Changes of scores in rankings per period. */
export const periodChangePatterns: Pattern[] = [
  {
    ask: 'change a score in the first ranking of a type, of one week',
    how: 'UpdateItem',
    requests: '1',
    expected: { UpdateItem: 1 },
    run: (services) => patch(services, 'r1', { points: 31 }),
    gives: 200,
  },
  {
    ask: 'the same, with an instant of the same week',
    how: 'UpdateItem',
    requests: '1',
    expected: { UpdateItem: 1 },
    run: (services) => patch(services, 'r1', { points: 32, at: '2026-11-29T00:00:00Z' }),
    gives: 200,
  },
  {
    ask: 'the same, with an instant of another week',
    how: 'UpdateItem, refused; Query of the entity without its relations, consistent; transaction',
    requests: '3',
    expected: { UpdateItem: 1, Query: 1, TransactWriteItems: 1 },
    run: (services) => patch(services, 'r1', { points: 33, at: '2026-12-01T00:00:00Z' }),
    gives: 200,
  },
];
