import type {
  InputKinds,
  ListElement,
  NameOf,
  OutputKinds,
  Relation,
  RelationToMany,
  RelationToOne,
  RequiredAttribute,
  Simplify,
  ValuesByName,
} from './value-types.ts';

/** Relations to many that declare attributes. */
type RelationWithAttributes<Declaration> = Extract<
  RelationToMany<Declaration>,
  { readonly attributes: readonly unknown[] }
>;
type RelationWithoutAttributes<Declaration> = Exclude<
  RelationToMany<Declaration>,
  RelationWithAttributes<Declaration>
>;
type OptionalAttribute<Declaration> = Exclude<
  ListElement<Declaration, 'attributes'>,
  RequiredAttribute<Declaration>
>;

/** Attributes of a relation in a response: a required one may be absent if it was declared later. */
type RelationAttributesOutput<One> = Simplify<
  Partial<ValuesByName<OutputKinds, ListElement<One, 'attributes'>>>
>;

/** All attributes of a relation to one entity. */
type RelationAttributesInput<One> = Simplify<
  ValuesByName<InputKinds, RequiredAttribute<One>> &
    Partial<ValuesByName<InputKinds, OptionalAttribute<One>>>
>;

/** Changed attributes of a relation. */
type ChangeOfRelation<One> = Simplify<
  Partial<ValuesByName<InputKinds, RequiredAttribute<One>>> & {
    [Key in keyof ValuesByName<InputKinds, OptionalAttribute<One>>]?:
      ValuesByName<InputKinds, OptionalAttribute<One>>[Key] | null;
  }
>;

/** The related entity's id of each relation to one; most responses omit relations to many. */
export type RelationsOutput<Declaration> = Simplify<
  Partial<Record<NameOf<RelationToOne<Declaration>>, string>> &
    Partial<Record<NameOf<RelationWithoutAttributes<Declaration>>, string[]>> & {
      [One in RelationWithAttributes<Declaration> as NameOf<One>]?: {
        id: string;
        attributes?: RelationAttributesOutput<One>;
      }[];
    }
>;

/** Relations for `put`: an id without attributes keeps the relation's attributes. */
export type RelationsInput<Declaration> = Simplify<
  Partial<Record<NameOf<RelationToOne<Declaration>>, string>> &
    Partial<Record<NameOf<RelationWithoutAttributes<Declaration>>, readonly string[]>> & {
      [One in RelationWithAttributes<Declaration> as NameOf<One>]?: readonly (
        string | { readonly id: string; readonly attributes?: RelationAttributesInput<One> }
      )[];
    }
>;

/** Relations for `patch`: named attributes in `add` are changed. */
export type RelationChanges<Declaration> = Simplify<
  Partial<Record<NameOf<RelationToOne<Declaration>>, string | null>> &
    Partial<
      Record<
        NameOf<RelationWithoutAttributes<Declaration>>,
        readonly string[] | { add?: readonly string[]; remove?: readonly string[] } | null
      >
    > & {
      [One in RelationWithAttributes<Declaration> as NameOf<One>]?:
        | readonly (
            string | { readonly id: string; readonly attributes?: RelationAttributesInput<One> }
          )[]
        | {
            add?: readonly (
              string | { readonly id: string; readonly attributes?: ChangeOfRelation<One> }
            )[];
            remove?: readonly string[];
          }
        | null;
    }
>;

/** The change of one relation to many: the related entities that it does not name stay. */
export type RelationChange<Declaration, Name> = Extract<
  RelationChanges<Declaration>[Name & keyof RelationChanges<Declaration>],
  { add?: unknown; remove?: unknown }
>;

/** Attributes of relations between two types, by the relation's name, for declarations of either type. */
export type AttributesBetween<Declaration, Other> = Simplify<
  AttributesTo<Declaration, Other> & AttributesTo<Other, Declaration>
>;

type AttributesTo<From, To> = {
  [
    One in Extract<RelationWithAttributes<From>, ToType<To>> as NameOf<One>
  ]?: RelationAttributesOutput<One>;
};

type ToType<To> = To extends { readonly name: infer Name } ? { readonly to: Name } : never;

/** Names of relations from one of two types to the other. */
export type RelationBetween<Declaration, Other> = NameOf<
  Extract<Relation<Declaration>, ToType<Other>> | Extract<Relation<Other>, ToType<Declaration>>
>;

/** The relation of an entity to another one. */
export interface RelationOf<Declaration, Name> {
  type: Extract<Relation<Declaration>, { readonly name: Name }>['to' & keyof Relation<Declaration>];
  id: string;
  attributes: RelationAttributesOutput<Extract<Relation<Declaration>, { readonly name: Name }>>;
}
