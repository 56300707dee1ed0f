import type { NameIn, TypeDeclaration } from './declare-type.ts';
import type { GivenRelations, RelationChanges, ShownRelations } from './relation-types.ts';
import type {
  Attribute,
  Automatic,
  GivenKinds,
  InPlace,
  Json,
  MemberOf,
  NameOf,
  Others,
  Required,
  Show,
  ShownKinds,
  ValueOf,
  Values,
} from './value-types.ts';

/** Attributes as an entity has them: those that are required or automatic are there. */
export type ShownAttributes<Declaration> = Show<
  Values<ShownKinds, Required<Declaration> | Automatic<Declaration>> &
    Partial<
      Values<
        ShownKinds,
        Exclude<Attribute<Declaration>, Required<Declaration> | Automatic<Declaration>>
      >
    > &
    Others<Declaration, Json | undefined>
>;

interface ShownEntity<Type, Attributes, Relations> {
  type: Type;
  id: string;
  attributes: Attributes;
  relations: Relations;
  createdAt: string;
  updatedAt: string;
  version: number;
}

export type EntityOf<Declaration extends TypeDeclaration> = ShownEntity<
  Declaration['name'],
  ShownAttributes<Declaration>,
  ShownRelations<Declaration>
>;

/** What `fields` can name: attributes and relations. */
export type FieldOf<Declaration> =
  | NameIn<Declaration, 'attributes'>
  | NameIn<Declaration, 'relations'>
  | (Declaration extends { readonly additional: true } ? string : never);

type Picked<Values, Field> = Pick<Values, Extract<Field, keyof Values>>;

/** An entity with these attributes and relations alone; with all of them, where no `fields` were asked for. */
export type PartOf<Declaration extends TypeDeclaration, Field> = [FieldOf<Declaration>] extends [
  Field,
]
  ? EntityOf<Declaration>
  : ShownEntity<
      Declaration['name'],
      Picked<ShownAttributes<Declaration>, Field>,
      Picked<ShownRelations<Declaration>, Field>
    >;

/** All of an entity, as `put` takes it. */
export type EntityContent<Declaration> = Show<
  WithAttributes<
    Values<GivenKinds, Exclude<Required<Declaration>, Automatic<Declaration>>> &
      Partial<Values<GivenKinds, Exclude<Attribute<Declaration>, Required<Declaration>>>>,
    Others<Declaration, unknown>
  > & { relations?: GivenRelations<Declaration> }
>;

/** Where nothing is required, an entity may have nothing. */
type WithAttributes<Given, Others> = object extends Given
  ? { attributes?: Show<Given & Others> }
  : { attributes: Show<Given & Others> };

/** What must hold of one attribute. */
interface ConditionOn<Element> {
  equals?: ValueOf<GivenKinds, Element>;
  /** Of a number, an instant or a text. */
  atLeast?: Compared<Element>;
  atMost?: Compared<Element>;
  /** Of a set. */
  contains?: Element extends { readonly kind: 'set' } ? MemberOf<GivenKinds, Element> : never;
  exists?: boolean;
}

type Compared<Element> = Element extends { readonly kind: 'number' | 'instant' | 'text' }
  ? ValueOf<GivenKinds, Element>
  : never;

/** What must hold of attributes in the moment of a change. */
export type Conditions<Declaration> = Show<
  { [One in Attribute<Declaration> as NameOf<One>]?: ConditionOn<One> } & Others<
    Declaration,
    unknown
  >
>;

type Changes<Element> = {
  [One in Element as NameOf<One>]?: ValueOf<GivenKinds, One> | InPlace<One>;
};
type ChangesOrNull<Element> = {
  [One in Element as NameOf<One>]?: ValueOf<GivenKinds, One> | InPlace<One> | null;
};

/** What `patch` changes: null takes away what need not be there. */
export interface EntityChange<Declaration> {
  attributes?: Show<
    Changes<Required<Declaration>> &
      ChangesOrNull<Exclude<Attribute<Declaration>, Required<Declaration>>> &
      Others<Declaration, unknown>
  >;
  conditions?: Conditions<Declaration>;
  relations?: RelationChanges<Declaration>;
}
