import { Violation } from '../../world/violation.ts';
import { keyOf, pathOf } from './catalog-types.ts';
import { everyItem } from './every-item.ts';
import type { Random } from '../../kernel/index.ts';
import type { CatalogClient } from './catalog-client.ts';

const begun = 1000;

interface TransferEntity {
  id: string;
  attributes: { amount: number };
  relations: { payer: string; payee: string };
}

/** Accounts with transactional transfers: each balance must equal the sum of the account's transfers. */
export class Transfers {
  readonly #client: CatalogClient;
  readonly #random: Random;
  #accounts: readonly string[] = [];
  readonly #acknowledged = new Set<string>();
  #count = 0;

  constructor({ client, random }: { client: CatalogClient; random: Random }) {
    this.#client = client;
    this.#random = random;
  }

  async begin(accounts: readonly string[]): Promise<void> {
    this.#accounts = accounts;
    for (const id of accounts) {
      const body = { attributes: { balance: begun } };
      await this.#client.insist({ method: 'PUT', path: pathOf({ type: 'Account', id }), body });
    }
  }

  async step(): Promise<void> {
    const random = this.#random;
    const payer = random.pick(this.#accounts);
    const payee = random.pick(this.#accounts.filter((id) => id !== payer));
    const amount = random.integer(1, 300);
    const name = { type: 'Transfer', id: `transfer ${++this.#count}` };
    const move = (id: string, add: number) => ({
      ...{ operation: 'patch', type: 'Account', id, attributes: { balance: { add } } },
      ...(add < 0 && { conditions: { balance: { atLeast: -add } } }),
    });
    const relations = { payer, payee };
    const note = { operation: 'put', ...name, attributes: { amount }, relations, ifNoneMatch: '*' };
    const body = { operations: [move(payer, -amount), move(payee, amount), note] };
    const answer = await this.#client.send({ method: 'POST', path: '/v1/transactions', body });
    if (answer.outcome === 'taken') this.#acknowledged.add(name.id);
    if (answer.outcome === 'refused' && !['no-answer', 'condition-failed'].includes(answer.code)) {
      throw new Violation(`${keyOf(name)} was rejected: ${answer.text}`);
    }
  }

  async check(): Promise<string[]> {
    const { items: found } = await everyItem(this.#client, '/v1/entities/Transfer', 50);
    const items = found as TransferEntity[];
    const there = new Set(items.map(({ id }) => id));
    const violations = [...this.#acknowledged]
      .filter((id) => !there.has(id))
      .map((id) => `${id} was acknowledged, but is missing`);
    for (const id of this.#accounts) {
      const { body } = await this.#client.insist({ path: pathOf({ type: 'Account', id }) });
      const { balance } = (body as { attributes: { balance: number } }).attributes;
      const moved = items.reduce((sum, { attributes: { amount }, relations }) => {
        const sign = relations.payee === id ? 1 : relations.payer === id ? -1 : 0;
        return sum + sign * amount;
      }, begun);
      if (balance !== moved)
        violations.push(`Account/${id} has ${balance}, but the sum of its transfers is ${moved}`);
      if (balance < 0) violations.push(`Account/${id} has a negative balance of ${balance}`);
    }
    return violations;
  }
}
