import type { AttributeValue } from '../attribute.ts';

/** An attribute's name, or a position in a list. */
export type PathElement = string | number;
/** The path to a value within an item, which begins with a name. */
export type Path = readonly PathElement[];

export interface PathOperand {
  kind: 'path';
  path: Path;
}
/** An unresolved `:v`. */
export interface ValueName {
  kind: 'name';
  name: string;
}
/** The value of a `:v`. */
export interface Literal {
  kind: 'literal';
  value: AttributeValue;
}
export interface Size<Leaf> {
  kind: 'size';
  of: Operand<Leaf>;
}
/** `Leaf` is `ValueName` as parsed, and `Literal` once the placeholders are resolved. */
export type Operand<Leaf> = PathOperand | Size<Leaf> | Leaf;

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type FunctionName =
  'attribute_exists' | 'attribute_not_exists' | 'attribute_type' | 'begins_with' | 'contains';

export type Condition<Leaf> =
  | { kind: 'and' | 'or'; left: Condition<Leaf>; right: Condition<Leaf> }
  | { kind: 'not'; condition: Condition<Leaf> }
  | { kind: 'compare'; comparator: Comparator; left: Operand<Leaf>; right: Operand<Leaf> }
  | { kind: 'between'; operand: Operand<Leaf>; low: Operand<Leaf>; high: Operand<Leaf> }
  | { kind: 'in'; operand: Operand<Leaf>; list: readonly Operand<Leaf>[] }
  | { kind: 'function'; name: FunctionName; operands: readonly Operand<Leaf>[] };

/** The right side of an assignment in SET. */
export type AssignedValue<Leaf> =
  | PathOperand
  | Leaf
  | { kind: 'if_not_exists'; path: Path; otherwise: AssignedValue<Leaf> }
  | { kind: 'list_append'; left: AssignedValue<Leaf>; right: AssignedValue<Leaf> }
  | { kind: 'sum'; sign: 1 | -1; left: AssignedValue<Leaf>; right: AssignedValue<Leaf> };

export interface Update<Leaf> {
  set: readonly { path: Path; value: AssignedValue<Leaf> }[];
  remove: readonly Path[];
  add: readonly { path: Path; value: Leaf }[];
  delete: readonly { path: Path; value: Leaf }[];
}
