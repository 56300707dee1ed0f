import { RequestBuilder, ExpressionValues } from './request-builder.ts';
import { randomCondition, randomUpdate } from './random-expressions.ts';
import type { Document } from '@engawa/dynamodb-simulator/rules';
import type { Random } from '../../src/kernel/random.ts';
import type { Request } from './request-builder.ts';

const detail = { ReturnConsumedCapacity: 'INDEXES' };

/** Draws requests of all operations on one table. */
export class RandomRequests {
  readonly #builder: RequestBuilder;
  readonly #random: Random;
  readonly #table: string;

  constructor(random: Random, table: string) {
    this.#random = random;
    this.#builder = new RequestBuilder(random);
    this.#table = table;
  }

  next(): Request {
    const kind = this.#random.integer(0, 99);
    if (kind < 25) return { operation: 'PutItem', input: { ...this.#put(), ...this.#returns() } };
    if (kind < 50) return { operation: 'UpdateItem', input: this.#single(this.#update()) };
    if (kind < 56) {
      return { operation: 'DeleteItem', input: { ...this.#delete(), ...this.#returns() } };
    }
    if (kind < 62) return { operation: 'BatchWriteItem', input: this.#batchWrite() };
    if (kind < 72) return { operation: 'TransactWriteItems', input: this.#transaction() };
    if (kind < 76) return { operation: 'GetItem', input: this.#get() };
    if (kind < 80) return { operation: 'BatchGetItem', input: this.#batchGet() };
    if (kind < 83) return { operation: 'TransactGetItems', input: this.#transactGet() };
    return { operation: 'Query', input: this.#query() };
  }

  #put(): Document {
    const values = new ExpressionValues();
    const Item = this.#builder.item();
    return this.#action({ Item, ...this.#condition(values) }, values);
  }

  #update(): Document {
    const values = new ExpressionValues();
    const UpdateExpression = randomUpdate(this.#builder, values);
    const Key = this.#builder.key();
    return this.#action({ Key, UpdateExpression, ...this.#condition(values) }, values);
  }

  #delete(): Document {
    const values = new ExpressionValues();
    return this.#action({ Key: this.#builder.key(), ...this.#condition(values) }, values);
  }

  #action(action: Document, values: ExpressionValues): Document {
    return { TableName: this.#table, ...action, ...values.fields() };
  }

  #condition(values: ExpressionValues): Document {
    if (this.#random.chance(0.5)) return {};
    return {
      ConditionExpression: randomCondition(this.#builder, values),
      ReturnValuesOnConditionCheckFailure: this.#random.pick(['ALL_OLD', 'NONE']),
    };
  }

  #returns(): Document {
    return { ReturnValues: this.#random.pick(['ALL_OLD', 'NONE']), ...detail };
  }

  #single(update: Document): Document {
    return { ...update, ReturnValues: this.#random.pick(['ALL_NEW', 'ALL_OLD']), ...detail };
  }

  #batchWrite(): Document {
    const requests = this.#many(1, 5, () =>
      this.#random.chance(0.7)
        ? { PutRequest: { Item: this.#builder.item() } }
        : { DeleteRequest: { Key: this.#builder.key() } },
    );
    return { RequestItems: { [this.#table]: requests }, ...detail };
  }

  #transaction(): Document {
    const TransactItems = this.#many(1, 4, () => {
      const kind = this.#random.integer(0, 9);
      if (kind < 4) return { Put: this.#put() };
      if (kind < 7) return { Update: this.#update() };
      if (kind < 8) return { Delete: this.#delete() };
      const values = new ExpressionValues();
      const ConditionExpression = randomCondition(this.#builder, values);
      const Key = this.#builder.key();
      return { ConditionCheck: this.#action({ Key, ConditionExpression }, values) };
    });
    return { TransactItems, ...detail };
  }

  #get(): Document {
    return { TableName: this.#table, Key: this.#builder.key(), ...this.#reading(), ...detail };
  }

  #batchGet(): Document {
    const Keys = this.#many(1, 6, () => this.#builder.key());
    return { RequestItems: { [this.#table]: { Keys, ...this.#reading() } }, ...detail };
  }

  #transactGet(): Document {
    const Get = () => ({ TableName: this.#table, Key: this.#builder.key(), ...this.#projection() });
    return { TransactItems: this.#many(1, 4, () => ({ Get: Get() })), ...detail };
  }

  #reading(): Document {
    return { ConsistentRead: this.#random.chance(0.5), ...this.#projection() };
  }

  #projection(): Document {
    if (this.#random.chance(0.5)) return {};
    return { ProjectionExpression: this.#many(1, 3, () => this.#builder.path()).join(', ') };
  }

  #query(): Document {
    const random = this.#random;
    const values = new ExpressionValues();
    const IndexName = random.pick([undefined, undefined, 'gsi1', 'gsi2']);
    const prefix = IndexName ?? '';
    const partition = this.#builder.key()['pk'] ?? {};
    const value = IndexName === undefined ? partition : { S: random.pick(['g', 'h']) };
    const KeyConditionExpression = `${prefix}pk = ${values.add(value)}${this.#sortTerm(prefix, values)}`;
    const filter = random.chance(0.4)
      ? { FilterExpression: randomCondition(this.#builder, values) }
      : {};
    return {
      TableName: this.#table,
      ...(IndexName && { IndexName }),
      KeyConditionExpression,
      ...filter,
      ...values.fields(),
      ...this.#projection(),
      ScanIndexForward: random.chance(0.5),
      ...(random.chance(0.5) && { Limit: random.integer(1, 5) }),
      ...(IndexName === undefined && { ConsistentRead: random.chance(0.5) }),
      ...detail,
    };
  }

  #sortTerm(prefix: string, values: ExpressionValues): string {
    const random = this.#random;
    if (random.chance(0.4)) return '';
    const sort = () => values.add(this.#builder.key()['sk'] ?? {});
    const name = `${prefix}sk`;
    const operator = random.pick(['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with']);
    if (operator === 'BETWEEN') return ` AND ${name} BETWEEN ${sort()} AND ${sort()}`;
    if (operator === 'begins_with') return ` AND begins_with(${name}, ${sort()})`;
    return ` AND ${name} ${operator} ${sort()}`;
  }

  #many<Element>(least: number, most: number, make: () => Element): Element[] {
    return Array.from({ length: this.#random.integer(least, most) }, make);
  }
}
