import type { PutTypeInput } from '../generated/catalog.ts';

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/** The body of `PUT /v1/types/{type}`, and the type's name. */
export type TypeDeclaration = { readonly name: string } & DeepReadonly<PutTypeInput['body']>;

/** The elements of a list of a declaration. */
export type ListElement<Declaration, List extends string> =
  Declaration extends Readonly<Record<List, readonly (infer Element)[]>> ? Element : never;

export type NameIn<Declaration, List extends string> =
  ListElement<Declaration, List> extends { readonly name: infer Name extends string }
    ? Name
    : never;

/** Adds an index signature for further properties. */
type WithIndexSignature<Members> = Members & Readonly<Record<string, unknown>>;

/** Restricts names of attributes and relations to declared ones. */
interface DeclaredNames<Attribute, Relation> {
  readonly searches?: readonly WithIndexSignature<{
    readonly parts: readonly (
      | WithIndexSignature<{ readonly attribute: Attribute }>
      | WithIndexSignature<{ readonly relation: Relation }>
    )[];
  }>[];
  readonly rankings?: readonly WithIndexSignature<{
    readonly attribute: Attribute;
    readonly within?: Relation;
  }>[];
  readonly filters?: readonly (
    | WithIndexSignature<{ readonly attribute: Attribute }>
    | WithIndexSignature<{ readonly relation: Relation }>
  )[];
  readonly fullText?: readonly Attribute[];
  readonly expires?: WithIndexSignature<{ readonly attribute: Attribute }>;
}

/**
 * A declaration with literal types, from which the types of its entities are derived. Searches, rankings and the full
 * text may only name declared attributes and relations.
 */
export function declareType<const Declaration extends TypeDeclaration>(
  declaration: Declaration &
    DeclaredNames<NameIn<Declaration, 'attributes'>, NameIn<Declaration, 'relations'>>,
): Declaration {
  return declaration;
}
