import { errors } from '@opensearch-project/opensearch';
import { TextIndexLost } from '../text-index.ts';

interface BulkResult {
  status: number;
  error?: { type: string; reason?: string | null };
}

interface BulkAnswer {
  errors: boolean;
  items: readonly Record<string, BulkResult>[];
}

/**
 * Errors that are about the document alone, so that sending it again fails again. All others are about the index or the
 * engine, and end: a block on writes, a closed index, a role that lacks a permission, a full queue.
 */
const ofDocument: ReadonlySet<string> = new Set([
  'mapper_parsing_exception',
  'document_parsing_exception',
  'illegal_argument_exception',
]);

/** What was refused for good, as a line of the log. */
export interface RejectedDocuments {
  documents: number;
  reason: string;
}

/**
 * What became of changes that were sent together.
 * @throws TextIndexLost where the alias leads nowhere, Error where they should be sent again
 */
export function checkBulk(answer: BulkAnswer): RejectedDocuments | undefined {
  if (!answer.errors) return undefined;
  const failed = answer.items
    .flatMap((item) => Object.values(item))
    .flatMap(({ status, error }) => (error === undefined ? [] : [{ status, ...error }]))
    // It has a newer one.
    .filter(({ status }) => status !== 409);
  const lost = failed.find(({ type }) => type === 'index_not_found_exception');
  if (lost !== undefined) throw new TextIndexLost('the alias of the index is gone');
  const later = failed.find(({ status, type }) => status !== 400 || !ofDocument.has(type));
  if (later !== undefined) throw new Error(`OpenSearch took not all of it: ${later.type}`);
  const [first] = failed;
  if (first === undefined) return undefined;
  return { documents: failed.length, reason: `${first.type}: ${first.reason ?? ''}` };
}

export function isMissing(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.statusCode === 404;
}
