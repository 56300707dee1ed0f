import { Violation } from '../../world/violation.ts';
import { pathOf } from './catalog-types.ts';
import type { Random } from '../../kernel/index.ts';
import type { CatalogClient } from './catalog-client.ts';

/** `total` orders a ranking, `hits` is in no search: the catalog updates them in different ways. */
const fields = ['total', 'hits'] as const;
type Field = (typeof fields)[number];

interface Sum {
  acknowledged: number;
  /** Amounts of additions without a response. */
  unanswered: number[];
}

/** Counters of several users: acknowledged additions count once, others at most once. */
export class Counters {
  readonly #client: CatalogClient;
  readonly #random: Random;
  readonly #sums = new Map<string, Record<Field, Sum>>();

  constructor({ client, random }: { client: CatalogClient; random: Random }) {
    this.#client = client;
    this.#random = random;
  }

  async begin(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const body = { attributes: { total: 0, hits: 0 } };
      await this.#client.insist({ method: 'PUT', path: pathOf({ type: 'Tally', id }), body });
      const none = () => ({ acknowledged: 0, unanswered: [] });
      this.#sums.set(id, { total: none(), hits: none() });
    }
  }

  /** Sends one addition, or two concurrent ones to the same counter. */
  async step(): Promise<void> {
    const random = this.#random;
    const id = random.pick([...this.#sums.keys()]);
    const field = random.pick(fields);
    const times = random.integer(1, 2);
    await Promise.all(Array.from({ length: times }, () => this.#add(id, field)));
  }

  async check(): Promise<string[]> {
    const violations: string[] = [];
    for (const [id, sums] of this.#sums) {
      const { body } = await this.#client.insist({ path: pathOf({ type: 'Tally', id }) });
      const { attributes } = body as { attributes?: Record<Field, number> };
      for (const field of fields) {
        const wrong = sumFault(sums[field], attributes?.[field] ?? 0);
        if (wrong !== undefined) violations.push(`Tally/${id}: ${field} ${wrong}`);
      }
    }
    return violations;
  }

  async #add(id: string, field: Field): Promise<void> {
    const amount = this.#random.integer(1, 1000);
    const sum = this.#sums.get(id)?.[field];
    const body = { attributes: { [field]: { add: amount } } };
    const path = pathOf({ type: 'Tally', id });
    const { outcome, code, text } = await this.#client.send({ method: 'PATCH', path, body });
    if (outcome === 'taken' && sum !== undefined) sum.acknowledged += amount;
    if (outcome === 'unknown') sum?.unanswered.push(amount);
    if (outcome === 'refused' && code !== 'no-answer') {
      throw new Violation(`an addition to Tally/${id} was rejected: ${text}`);
    }
  }
}

function sumFault({ acknowledged, unanswered }: Sum, found: number): string | undefined {
  let possible = new Set([acknowledged]);
  for (const amount of unanswered) {
    possible = new Set([...possible, ...[...possible].map((sum) => sum + amount)]);
  }
  if (possible.has(found)) return undefined;
  return `is ${found}; acknowledged ${acknowledged}, without a response ${unanswered.join(', ')}`;
}
