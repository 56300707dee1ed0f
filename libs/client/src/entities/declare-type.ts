import type { PutTypeInput } from '../generated/catalog.ts';
import type { Attribute, ListElement, NameOf, RelationToOne } from './value-types.ts';

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/** The body of `PUT /v1/types/{type}`, and the type's name. */
export type TypeDeclaration = { readonly name: string } & DeepReadonly<PutTypeInput['body']>;

export type NameIn<Declaration, List extends string> =
  ListElement<Declaration, List> extends { readonly name: infer Name extends string }
    ? Name
    : never;

/** Adds an index signature for further properties. */
type WithIndexSignature<Members> = Members & Readonly<Record<string, unknown>>;

type AttributeOfKind<Declaration, Kind> = NameOf<
  Extract<Attribute<Declaration>, { readonly kind: Kind }>
>;

/** Lists and maps have no order, so they cannot be compared. */
type Part<Declaration> =
  | WithIndexSignature<{
      readonly attribute: NameOf<
        Exclude<Attribute<Declaration>, { readonly kind: 'list' | 'map' }>
      >;
    }>
  | WithIndexSignature<{ readonly relation: NameOf<RelationToOne<Declaration>> }>;

/** Restricts names of attributes and relations to declared ones of a kind that the property accepts. */
interface DeclaredNames<Declaration> {
  readonly searches?: readonly WithIndexSignature<{
    readonly parts: readonly Part<Declaration>[];
  }>[];
  readonly rankings?: readonly WithIndexSignature<{
    readonly attribute: AttributeOfKind<Declaration, 'number' | 'instant'>;
    readonly ties?: WithIndexSignature<{
      readonly attribute: AttributeOfKind<Declaration, 'number' | 'instant'>;
    }>;
    readonly within?: NameOf<RelationToOne<Declaration>>;
    readonly period?: WithIndexSignature<{
      readonly attribute: AttributeOfKind<Declaration, 'instant'>;
    }>;
  }>[];
  readonly filters?: readonly Part<Declaration>[];
  readonly fullText?: readonly AttributeOfKind<Declaration, 'text' | 'set'>[];
  readonly expires?: WithIndexSignature<{
    readonly attribute: AttributeOfKind<Declaration, 'instant'>;
  }>;
}

type KeyOf<Shape> = Shape extends unknown ? keyof Shape : never;
type ValueAt<Shape, Key> = Shape extends unknown
  ? Key extends keyof Shape
    ? Shape[Key]
    : never
  : never;
type ElementOf<Shape> = Shape extends readonly (infer Element)[] ? Element : never;

/** Refuses properties that the shape does not have, also inside lists: a misspelt one would be ignored. */
type KnownKeys<Given, Shape> = Given extends readonly unknown[]
  ? { readonly [Index in keyof Given]: KnownKeys<Given[Index], ElementOf<Shape>> }
  : Given extends object
    ? {
        readonly [Key in keyof Given]: Key extends KeyOf<Shape>
          ? KnownKeys<Given[Key], ValueAt<Shape, Key>>
          : never;
      }
    : Given;

/**
 * A declaration with literal types, from which the types of its entities are derived. Searches, rankings, filters and
 * the full text may only name declared attributes and relations of a kind that they accept.
 */
export function declareType<const Declaration extends TypeDeclaration>(
  declaration: Declaration & DeclaredNames<Declaration> & KnownKeys<Declaration, TypeDeclaration>,
): Declaration {
  return declaration;
}
