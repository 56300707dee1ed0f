import { Random } from '../../src/kernel/random.ts';
import { TableModel } from '../../src/table/table-model.ts';
import { explains } from './difference.ts';
import { differences } from './differences.ts';
import { summaryOf } from './summary.ts';
import { thingsTable } from './things-table.ts';
import { wholeQuery } from './whole-query.ts';
import type { Document, DynamoDbResponse, Item } from '@engawa/dynamodb-simulator/rules';
import type { Difference, EngineName } from './difference.ts';
import type { Engine } from './engine.ts';
import type { Request } from './request-builder.ts';
import type { Summary } from './summary.ts';

const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'];

export interface ComparisonOptions {
  name: EngineName;
  table: string;
  /** Known differences that occurred. */
  used: Set<Difference>;
}

/** Sends requests to the model and an engine, and records the differences between their responses. */
export class Comparison {
  readonly model: TableModel;
  readonly table: string;
  readonly unexplained: string[] = [];
  /** Numbers of requests that both accepted, and that both rejected. */
  readonly agreed = { accepted: 0, refused: 0 };
  readonly #engine: Engine;
  readonly #name: EngineName;
  readonly #used: Set<Difference>;

  constructor(engine: Engine, { name, table, used }: ComparisonOptions) {
    this.#engine = engine;
    this.#name = name;
    this.table = table;
    this.#used = used;
    this.model = new TableModel({ now: () => 1_800_000_000_000, random: new Random(7) });
  }

  async open(): Promise<void> {
    const definition = thingsTable(this.table);
    const answers = [
      this.model.handle('CreateTable', definition),
      await this.#engine.ask('CreateTable', definition),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  }

  async ask(request: Request): Promise<void> {
    const { operation, input } = request;
    const model = summaryOf(operation, await this.#askModel(request));
    const other = summaryOf(operation, await this.#askEngine(request));
    if (writes.includes(operation)) await this.#addStored(input, model, other);
    if (isSame(model, other)) {
      this.agreed[model.outcome === '200' ? 'accepted' : 'refused'] += 1;
      return;
    }
    const known = differences.find((one) => explains(one, this.#name, request, [model, other]));
    if (known !== undefined) this.#used.add(known);
    else this.unexplained.push(JSON.stringify({ operation, input, model, other }, undefined, 1));
    await this.#repair(input);
  }

  put(Item: Item): Document {
    return { TableName: this.table, Item };
  }

  /** Known differences of an engine that did not occur. */
  static unused(name: EngineName, used: ReadonlySet<Difference>): string[] {
    const own = differences.filter(({ engines }) => engines.includes(name));
    return own.filter((one) => !used.has(one)).map(({ reason }) => reason);
  }

  #askModel({ operation, input }: Request): DynamoDbResponse | Promise<DynamoDbResponse> {
    const ask = (one: Document) => this.model.handle(operation, structuredClone(one));
    return operation === 'Query' ? wholeQuery(ask, input) : ask(input);
  }

  #askEngine({ operation, input }: Request): Promise<DynamoDbResponse> {
    const ask = (one: Document) => this.#engine.ask(operation, one);
    return operation === 'Query' ? wholeQuery(ask, input) : ask(input);
  }

  /** Adds the stored items after a write to the comparison, regardless of the response. */
  async #addStored(input: Document, model: Summary, other: Summary): Promise<void> {
    for (const Key of keysIn(input)) {
      const get = { TableName: this.table, Key, ConsistentRead: true };
      const found = this.model.handle('GetItem', get);
      if (found.status !== 200) continue;
      model.items += `\n${summaryOf('GetItem', found).items}`;
      const answer = await this.#engine.ask('GetItem', get);
      other.items += `\n${summaryOf('GetItem', answer).items}`;
    }
  }

  /** Copies the model's items to the engine, so that the next request finds equal items. */
  async #repair(input: Document): Promise<void> {
    for (const Key of keysIn(input)) {
      const found = this.model.handle('GetItem', { TableName: this.table, Key });
      if (found.status !== 200) continue;
      const { Item } = found.body as { Item?: Item };
      const TableName = this.table;
      if (Item === undefined) await this.#engine.ask('DeleteItem', { TableName, Key });
      else await this.#engine.ask('PutItem', { TableName, Item });
    }
  }
}

function isSame(model: Summary, other: Summary): boolean {
  return (
    model.outcome === other.outcome && model.items === other.items && model.units === other.units
  );
}

/** The keys of all items that a request accesses. */
function keysIn(input: unknown): Item[] {
  if (typeof input !== 'object' || input === null) return [];
  const { pk, sk } = input as Item;
  if (pk !== undefined && sk !== undefined) return [{ pk, sk }];
  return Object.values(input).flatMap(keysIn);
}
