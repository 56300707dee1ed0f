import { marshal } from './marshal.ts';
import type { DocumentValue } from '@engawa/model';

/**
 * The placeholders of one request's expressions. They allow any field name: DynamoDB reserves 573
 * words, `size` and `name` among them (developer guide, "Reserved words").
 */
export class Expression {
  readonly #names = new Map<string, string>();
  readonly #values: Record<string, DocumentValue> = {};
  #count = 0;

  /** The placeholder of a field, or of a path into a map. */
  name(path: Path): string {
    if (typeof path !== 'string') return path.map((field) => this.#nameOf(field)).join('.');
    return this.#nameOf(path);
  }

  /** The placeholders of several paths, separated by commas. */
  list(paths: readonly Path[]): string {
    return paths.map((path) => this.name(path)).join(', ');
  }

  #nameOf(field: string): string {
    const placeholder = this.#names.get(field) ?? `#f${this.#names.size}`;
    this.#names.set(field, placeholder);
    return placeholder;
  }

  /** The placeholder of a value. */
  value(value: DocumentValue): string {
    const placeholder = `:v${this.#count++}`;
    this.#values[placeholder] = value;
    return placeholder;
  }

  /** The request's maps of placeholders, values as plain documents; without empty maps, which DynamoDB rejects. */
  placeholders() {
    const names = [...this.#names].map(([field, placeholder]) => [placeholder, field] as const);
    return {
      ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
      ...(this.#count > 0 && { ExpressionAttributeValues: this.#values }),
    };
  }

  /** The request's maps of placeholders, values in DynamoDB's form. */
  marshalledPlaceholders() {
    const { ExpressionAttributeValues: values, ...names } = this.placeholders();
    return { ...names, ...(values && { ExpressionAttributeValues: marshal(values) }) };
  }
}

/** A field of an item, or a path into its maps: `['data', 'score']`. */
export type Path = string | readonly string[];

/** A condition on the existing item; writes the expression's text. */
export type Condition = (expression: Expression) => string;

export function absent(field: Path): Condition {
  return (expression) => `attribute_not_exists(${expression.name(field)})`;
}

export function present(field: Path): Condition {
  return (expression) => `attribute_exists(${expression.name(field)})`;
}

export function equal(field: Path, value: DocumentValue): Condition {
  return (expression) => `${expression.name(field)} = ${expression.value(value)}`;
}

/** The field exists and is less than `value`: numbers by value, texts by their UTF-8 bytes. */
export function less(field: Path, value: DocumentValue): Condition {
  return (expression) => `${expression.name(field)} < ${expression.value(value)}`;
}

/** The field exists and is greater than `value`, in the order of `less`. */
export function greater(field: Path, value: DocumentValue): Condition {
  return (expression) => `${expression.name(field)} > ${expression.value(value)}`;
}

/** The field is a list that contains the value. */
export function contains(field: Path, value: DocumentValue): Condition {
  return (expression) => `contains(${expression.name(field)}, ${expression.value(value)})`;
}

/** The field is a list or text that is not empty. */
export function nonEmpty(field: Path): Condition {
  return (expression) => `size(${expression.name(field)}) > ${expression.value(0)}`;
}

export function anyOf(...conditions: Condition[]): Condition {
  return (expression) => `(${conditions.map((condition) => condition(expression)).join(' OR ')})`;
}

export function not(condition: Condition): Condition {
  return (expression) => `(NOT ${condition(expression)})`;
}

export function allOf(...conditions: Condition[]): Condition {
  return (expression) => `(${conditions.map((condition) => condition(expression)).join(' AND ')})`;
}
