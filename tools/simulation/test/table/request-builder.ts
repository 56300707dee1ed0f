import type { AttributeValue, Document, Item } from '@engawa/dynamodb-simulator/rules';
import type { Random } from '../../src/kernel/random.ts';

export interface Request {
  operation: string;
  input: Document;
}

const partitions = ['a', 'b', 'c'];
/** Texts whose order by UTF-16 units differs from the order by UTF-8 bytes. */
const sorts = ['1', '2', '2x', '3', 'é', '\ue000', '𝄞', '𝄞x'];
const texts = ['', 'a', 'ab', 'b', 'é𝄞', '1'];
const numbers = [
  '0',
  '1',
  '-1',
  '2.50',
  '1e2',
  '0.001',
  '-3.7e-5',
  '12345678901234567890123456789012345678',
];
const indexKeys = ['g', 'h'];

/** Draws parts of requests, with names and values. */
export class RequestBuilder {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  key(): Item {
    return { pk: { S: this.random.pick(partitions) }, sk: { S: this.random.pick(sorts) } };
  }

  item(): Item {
    const { random } = this;
    const some = (value: () => AttributeValue, name: string) =>
      random.chance(0.6) ? { [name]: value() } : {};
    return {
      ...this.key(),
      ...some(() => this.number(), 'n'),
      ...some(() => this.text(), 's'),
      ...some(() => this.list(), 'l'),
      ...some(() => this.map(), 'm'),
      ...some(() => this.texts(), 'ss'),
      ...some(() => ({ NS: this.subset(['1', '2', '3.0']) }), 'ns'),
      ...some(() => ({ B: random.bytes(random.integer(0, 3)).toString('base64') }), 'b'),
      ...some(() => this.scalar(), 'x'),
      ...some(() => ({ S: random.pick(indexKeys) }), 'gsi1pk'),
      ...some(() => ({ S: random.pick(indexKeys) }), 'gsi1sk'),
      ...some(() => ({ S: random.pick(indexKeys) }), 'gsi2pk'),
      ...some(() => ({ S: random.pick(sorts) }), 'gsi2sk'),
      ...(random.chance(0.05) && { big: { S: 'x'.repeat(random.integer(500, 9000)) } }),
    };
  }

  number(): AttributeValue {
    return { N: this.random.pick(numbers) };
  }

  text(): AttributeValue {
    return { S: this.random.pick(texts) };
  }

  texts(): AttributeValue {
    return { SS: this.subset(['a', 'b', 'c']) };
  }

  list(): AttributeValue {
    return { L: Array.from({ length: this.random.integer(0, 4) }, () => this.scalar()) };
  }

  map(): AttributeValue {
    return { M: { a: this.number(), b: { M: { c: this.text() } }, d: { L: [this.number()] } } };
  }

  scalar(): AttributeValue {
    const { random } = this;
    return random.pick([
      this.number(),
      this.text(),
      { BOOL: random.chance(0.5) },
      { NULL: true },
      { B: random.bytes(2).toString('base64') },
    ]);
  }

  value(): AttributeValue {
    return this.random.pick([
      this.number(),
      this.number(),
      this.text(),
      this.scalar(),
      this.list(),
      this.texts(),
      this.map(),
    ]);
  }

  subset(members: readonly string[]): string[] {
    const chosen = members.filter(() => this.random.chance(0.5));
    return chosen.length > 0 ? chosen : [this.random.pick(members)];
  }

  /** Draws a path; most paths exist in many items. */
  path(): string {
    return this.random.pick([
      ...['n', 's', 'x', 'ss', 'l', 'm', 'b', 'n', 's'],
      ...['m.a', 'm.b.c', 'm.b', 'm.d[0]', 'l[0]', 'l[1]', 'nothing', 'm.nothing'],
    ]);
  }
}

/** The values of one request. */
export class ExpressionValues {
  readonly #values: Record<string, AttributeValue> = {};
  #count = 0;

  add(value: AttributeValue): string {
    const name = `:v${this.#count++}`;
    this.#values[name] = value;
    return name;
  }

  fields(): Document {
    return this.#count === 0 ? {} : { ExpressionAttributeValues: this.#values };
  }
}
