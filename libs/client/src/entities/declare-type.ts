import type { PutTypeInput } from '../generated/catalog.ts';

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/** The body of `PUT /v1/types/{type}`, and the type's name. */
export type TypeDeclaration = { readonly name: string } & DeepReadonly<PutTypeInput['body']>;

/** The elements of a list of a declaration. */
export type Listed<Declaration, List extends string> =
  Declaration extends Readonly<Record<List, readonly (infer Element)[]>> ? Element : never;

export type NameIn<Declaration, List extends string> =
  Listed<Declaration, List> extends { readonly name: infer Name extends string } ? Name : never;

/** Adds an index signature for further properties. */
type Having<Members> = Members & Readonly<Record<string, unknown>>;

/** Restricts names of attributes and relations to declared ones. */
interface NamesWhatIsThere<Attribute, Relation> {
  readonly searches?: readonly Having<{
    readonly parts: readonly (
      Having<{ readonly attribute: Attribute }> | Having<{ readonly relation: Relation }>
    )[];
  }>[];
  readonly rankings?: readonly Having<{
    readonly attribute: Attribute;
    readonly within?: Relation;
  }>[];
  readonly filters?: readonly (
    Having<{ readonly attribute: Attribute }> | Having<{ readonly relation: Relation }>
  )[];
  readonly fullText?: readonly Attribute[];
  readonly expires?: Having<{ readonly attribute: Attribute }>;
}

/**
 * A declaration with literal types, from which the types of its entities are derived. Searches, rankings and the full
 * text may only name declared attributes and relations.
 */
export function declareType<const Declaration extends TypeDeclaration>(
  declaration: Declaration &
    NamesWhatIsThere<NameIn<Declaration, 'attributes'>, NameIn<Declaration, 'relations'>>,
): Declaration {
  return declaration;
}
