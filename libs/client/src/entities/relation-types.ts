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

/** Of one relation to one entity, as answers have them: a required one is missing where it was declared later. */
type ShownOfRelation<One> = Show<Partial<Values<ShownKinds, Listed<One, 'attributes'>>>>;

/** All that is said of one relation to one entity. */
type GivenOfRelation<One> = Show<
  Values<GivenKinds, Required<One>> & Partial<Values<GivenKinds, Optional<One>>>
>;

/** What changes of it. */
type ChangeOfRelation<One> = Show<
  Partial<Values<GivenKinds, Required<One>>> & {
    [Key in keyof Values<GivenKinds, Optional<One>>]?:
      Values<GivenKinds, Optional<One>>[Key] | null;
  }
>;

/** The id that each relation to one leads to; of those to many, most answers say nothing. */
export type ShownRelations<Declaration> = Show<
  Partial<Record<NameOf<ToOne<Declaration>>, string>> &
    Partial<Record<NameOf<Plain<Declaration>>, string[]>> & {
      [One in WithAttributes<Declaration> as NameOf<One>]?: {
        id: string;
        attributes?: ShownOfRelation<One>;
      }[];
    }
>;

/** Relations as `put` takes them: an id alone keeps the attributes of the relation. */
export type GivenRelations<Declaration> = Show<
  Partial<Record<NameOf<ToOne<Declaration>>, string>> &
    Partial<Record<NameOf<Plain<Declaration>>, readonly string[]>> & {
      [One in WithAttributes<Declaration> as NameOf<One>]?: readonly (
        string | { readonly id: string; readonly attributes?: GivenOfRelation<One> }
      )[];
    }
>;

/** Relations as `patch` takes them: in `add`, attributes that are named change. */
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

/** Attributes of relations between two types, by the names of the relations, whichever of the types declares them. */
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
