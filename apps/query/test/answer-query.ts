import type { Key } from '@engawa/keys';
import type { ItemPage, QueryRequest } from '@engawa/table';

/**
 * What DynamoDB answers to a Query where these are all items, in the order of their sort keys, and
 * a megabyte has so many: for thousands of questions in a property test. Over HTTP, the same is
 * tested with the engine.
 */
export function answerQuery(
  items: readonly Key[],
  question: QueryRequest,
  megabyte: number,
): ItemPage {
  const { pk, sk, limit = Infinity, descending, after } = question;
  const { from = '', to } = sk as { from?: string; to?: string };
  const matching = items.filter(
    (item) => item.pk === pk && item.sk >= from && (to === undefined || item.sk <= to),
  );
  if (descending) matching.reverse();
  const behind = matching.findIndex((item) => item.sk === after?.['sk']) + 1;
  const given = matching.slice(behind, behind + Math.min(limit, megabyte));
  const last = given.at(-1);
  const isTruncated = last !== undefined && given.length === Math.min(limit, megabyte);
  return {
    items: given.map((item) => ({ ...item })),
    units: 1,
    ...(isTruncated && { next: { pk, sk: last.sk } }),
  };
}
