/** When a write may have taken place, in milliseconds of the monotonic clock. Without an answer that has no end. */
export interface Span {
  from: number;
  to: number;
}

/** What an entity holds, as its owner has written it. */
export interface Content {
  name: string;
  /** Names the write that made it what it is, so that no two contents are equal by chance. */
  write: string;
  /** By relation and id (`relationKey`), when it was last said that it leads there. */
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

export interface Given {
  name: string;
  write: string;
  /** The value of the unique attribute; the table alone is compared with it (`auditUnique`). */
  code?: string | undefined;
  relations: Partial<Record<RelationName, readonly string[]>>;
}

export function contentOf({ name, write, relations }: Given, span: Span): Content {
  const keys = relationNames.flatMap((relation) =>
    (relations[relation] ?? []).map((id) => relationKey(relation, id)),
  );
  return { name, write, relations: new Map(keys.map((key) => [key, span])) };
}
