import { contentOf } from './content.ts';
import { send } from './client.ts';
import type { HttpResponse } from './client.ts';
import type { FoundEntity } from './compare.ts';
import type { RelationName, Span } from './content.ts';
import type { Name } from './types.ts';

interface EntityResponse {
  attributes: { name: string; write: string; plays?: number };
  relations: Partial<Record<RelationName, string | string[]>>;
}

export const pathOf = ({ type, id }: Name): string => `/v1/entities/${type}/${id}`;

/** The entity as the API returns it; undefined without a valid response. */
export async function readEntity(
  url: string,
  name: Name,
): Promise<{ found: FoundEntity | undefined; answer: HttpResponse; read: Span }> {
  const answer = await send(url, { method: 'GET', path: pathOf(name) });
  const read = { from: answer.span.from, to: performance.now() };
  if (answer.code === 'entity-not-found') {
    return { found: { state: undefined, score: undefined }, answer, read };
  }
  if (answer.status !== 200) return { found: undefined, answer, read };
  const { attributes, relations } = answer.body as unknown as EntityResponse;
  const ids = (given: string | string[] | undefined) => (given === undefined ? [] : [given].flat());
  const given = {
    name: attributes.name,
    write: attributes.write,
    relations: { artist: ids(relations.artist), featuring: ids(relations.featuring) },
  };
  return { found: { state: contentOf(given, read), score: attributes.plays }, answer, read };
}
