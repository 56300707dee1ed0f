import type { Listed } from './declare-type.ts';
import type {
  GivenKinds,
  NameOf,
  Relation,
  Required,
  Show,
  ShownKinds,
  ToMany,
  ToOne,
  Values,
} from './value-types.ts';

/** Relations to many that declare attributes. */
type WithAttributes<Declaration> = Extract<
  ToMany<Declaration>,
  { readonly attributes: readonly unknown[] }
>;
type Plain<Declaration> = Exclude<ToMany<Declaration>, WithAttributes<Declaration>>;
type Optional<Declaration> = Exclude<Listed<Declaration, 'attributes'>, Required<Declaration>>;

/** Attributes of a relation in a response: a required one may be absent if it was declared later. */
type ShownOfRelation<One> = Show<Partial<Values<ShownKinds, Listed<One, 'attributes'>>>>;

/** All attributes of a relation to one entity. */
type GivenOfRelation<One> = Show<
  Values<GivenKinds, Required<One>> & Partial<Values<GivenKinds, Optional<One>>>
>;

/** Changed attributes of a relation. */
type ChangeOfRelation<One> = Show<
  Partial<Values<GivenKinds, Required<One>>> & {
    [Key in keyof Values<GivenKinds, Optional<One>>]?:
      Values<GivenKinds, Optional<One>>[Key] | null;
  }
>;

/** The related entity's id of each relation to one; most responses omit relations to many. */
export type ShownRelations<Declaration> = Show<
  Partial<Record<NameOf<ToOne<Declaration>>, string>> &
    Partial<Record<NameOf<Plain<Declaration>>, string[]>> & {
      [One in WithAttributes<Declaration> as NameOf<One>]?: {
        id: string;
        attributes?: ShownOfRelation<One>;
      }[];
    }
>;

/** Relations for `put`: an id without attributes keeps the relation's attributes. */
export type GivenRelations<Declaration> = Show<
  Partial<Record<NameOf<ToOne<Declaration>>, string>> &
    Partial<Record<NameOf<Plain<Declaration>>, readonly string[]>> & {
      [One in WithAttributes<Declaration> as NameOf<One>]?: readonly (
        string | { readonly id: string; readonly attributes?: GivenOfRelation<One> }
      )[];
    }
>;

/** Relations for `patch`: named attributes in `add` are changed. */
export type RelationChanges<Declaration> = Show<
  Partial<Record<NameOf<ToOne<Declaration>>, string | null>> &
    Partial<
      Record<
        NameOf<Plain<Declaration>>,
        readonly string[] | { add?: readonly string[]; remove?: readonly string[] } | null
      >
    > & {
      [One in WithAttributes<Declaration> as NameOf<One>]?:
        | readonly (string | { readonly id: string; readonly attributes?: GivenOfRelation<One> })[]
        | {
            add?: readonly (
              string | { readonly id: string; readonly attributes?: ChangeOfRelation<One> }
            )[];
            remove?: readonly string[];
          }
        | null;
    }
>;

/** Attributes of relations between two types, by the relation's name, for declarations of either type. */
export type AttributesBetween<Declaration, Other> = Show<
  AttributesTo<Declaration, Other> & AttributesTo<Other, Declaration>
>;

type AttributesTo<From, To> = {
  [One in Extract<WithAttributes<From>, ToType<To>> as NameOf<One>]?: ShownOfRelation<One>;
};

type ToType<To> = To extends { readonly name: infer Name } ? { readonly to: Name } : never;

/** Names of relations from one of two types to the other. */
export type RelationBetween<Declaration, Other> = NameOf<
  Extract<Relation<Declaration>, ToType<Other>> | Extract<Relation<Other>, ToType<Declaration>>
>;
