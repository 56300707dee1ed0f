/**
 * The time in which a write may have taken place, in milliseconds of the monotonic clock; without a
 * response it has no end.
 */
export interface Span {
  from: number;
  to: number;
}

/** The content of an entity as its owner has written it. */
export interface Content {
  name: string;
  /** Identifies the latest write, so that no two contents are equal by chance. */
  write: string;
  /** Time of the latest write of each relation, by relation and id (`relationKey`). */
  relations: ReadonlyMap<string, Span>;
}

export type State = Content | undefined;

export const relationNames = ['artist', 'featuring'] as const;
export type RelationName = (typeof relationNames)[number];

export const relationKey = (relation: RelationName, id: string): string => `${relation} ${id}`;

export function targetOf(key: string): { relation: RelationName; id: string } {
  const [relation, id] = key.split(' ') as [RelationName, string];
  return { relation, id };
}

export interface ContentInput {
  name: string;
  write: string;
  /** The value of the unique attribute; it is compared with the table only (`auditUnique`). */
  code?: string | undefined;
  relations: Partial<Record<RelationName, readonly string[]>>;
}

export function contentOf({ name, write, relations }: ContentInput, span: Span): Content {
  const keys = relationNames.flatMap((relation) =>
    (relations[relation] ?? []).map((id) => relationKey(relation, id)),
  );
  return { name, write, relations: new Map(keys.map((key) => [key, span])) };
}
