import type { PutTypeInput } from '../generated/catalog.ts';

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/** A type as `PUT /v1/types/{type}` takes it, with its name. */
export type TypeDeclaration = { readonly name: string } & DeepReadonly<PutTypeInput['body']>;

/** The elements of a list of a declaration. */
export type Listed<Declaration, List extends string> =
  Declaration extends Readonly<Record<List, readonly (infer Element)[]>> ? Element : never;

export type NameIn<Declaration, List extends string> =
  Listed<Declaration, List> extends { readonly name: infer Name extends string } ? Name : never;

/** With whatever else there is. */
type Having<Members> = Members & Readonly<Record<string, unknown>>;

/** What names an attribute or a relation names one that there is. */
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
 * A declaration with its own types: those of its entities follow from it. What a search, a ranking
 * or the full text names has to be declared.
 */
export function declareType<const Declaration extends TypeDeclaration>(
  declaration: Declaration &
    NamesWhatIsThere<NameIn<Declaration, 'attributes'>, NameIn<Declaration, 'relations'>>,
): Declaration {
  return declaration;
}
