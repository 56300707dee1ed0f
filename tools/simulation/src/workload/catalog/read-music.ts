import { contentOf } from './music-content.ts';
import { pathOf } from './catalog-types.ts';
import type { EntityName, Span } from '../../oracles/entities-ledger.ts';
import type { FoundEntity } from '../../oracles/entity-difference.ts';
import type { CatalogResponse, CatalogClient } from './catalog-client.ts';

interface EntityBody {
  attributes: Record<string, unknown> & { plays?: number };
  relations?: { artist?: string; featuring?: string[] };
}

/** Reads an artist or a track; `found` is undefined without a valid response. */
export async function readMusic(
  ask: CatalogClient['send'],
  name: EntityName,
): Promise<{ found: FoundEntity | undefined; read: Span }> {
  const answer = await ask({ path: pathOf(name) });
  return { found: foundIn(answer), read: answer.span };
}

function foundIn({ status, code, body, span }: CatalogResponse): FoundEntity | undefined {
  if (code === 'entity-not-found') return { state: undefined, score: undefined };
  if (status !== 200) return undefined;
  const { attributes, relations = {} } = body as unknown as EntityBody;
  const { plays, ...others } = attributes;
  const { artist, featuring = [] } = relations;
  const given = { artist: artist === undefined ? [] : [artist], featuring };
  return { state: contentOf({ attributes: others, relations: given }, span), score: plays };
}
