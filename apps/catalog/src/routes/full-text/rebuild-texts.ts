import { route } from '@engawa/http';
import type { Route } from '@engawa/http';
import type { FullText } from '../../full-text/full-text.ts';

export function rebuildTexts({ fullText }: { fullText: FullText }): Route {
  return route({
    method: 'post',
    path: '/v1/search/rebuild',
    operationId: 'rebuildTexts',
    summary: 'Rebuild the full-text index from the table',
    description:
      'Each replica with an index of its own rebuilds it, and searches the old one until the new one is complete. Not needed in normal operation: a lost or outdated index is rebuilt automatically.',
    tags: ['full text'],
    responses: { 202: { description: 'The rebuild starts with the next poll for changes.' } },
    scope: 'admin',
    handle: async () => {
      await fullText.rebuild();
      return { status: 202 };
    },
  });
}
