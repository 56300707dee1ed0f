import { route } from '@engawa/http';
import type { Route } from '@engawa/http';
import type { FullText } from '../../full-text/full-text.ts';

export function rebuildTexts({ fullText }: { fullText: FullText }): Route {
  return route({
    method: 'post',
    path: '/v1/search/rebuild',
    operationId: 'rebuildTexts',
    summary: 'Make the full-text index anew from the table',
    description:
      'By each replica that has one, beside the one that is searched meanwhile. It is never needed in ordinary life: an index that is lost or too old is made anew without being asked.',
    tags: ['full text'],
    responses: { 202: { description: 'It begins with the next look for changes.' } },
    scope: 'admin',
    handle: async () => {
      await fullText.rebuild();
      return { status: 202 };
    },
  });
}
