import { errors } from '@opensearch-project/opensearch';
import { TextIndexLost } from '../text-index.ts';

interface BulkResult {
  status: number;
  error?: { type: string; reason?: string | null };
}

interface BulkResponse {
  errors: boolean;
  items: readonly Record<string, BulkResult>[];
}

/**
 * Errors of a single document, which fail again when retried. All other errors are of the index or the engine, and
 * temporary: a write block, a closed index, a missing permission, a full queue.
 */
const documentErrorTypes: ReadonlySet<string> = new Set([
  'mapper_parsing_exception',
  'document_parsing_exception',
  'illegal_argument_exception',
]);

/** Permanently rejected documents, for the log. */
export interface RejectedDocuments {
  documents: number;
  reason: string;
}

/**
 * Checks the response of a bulk request.
 * @throws TextIndexLost where the alias has no index, Error where the request should be retried
 */
export function checkBulk(answer: BulkResponse): RejectedDocuments | undefined {
  if (!answer.errors) return undefined;
  const failed = answer.items
    .flatMap((item) => Object.values(item))
    .flatMap(({ status, error }) => (error === undefined ? [] : [{ status, ...error }]))
    // 409: OpenSearch has a newer version.
    .filter(({ status }) => status !== 409);
  const lost = failed.find(({ type }) => type === 'index_not_found_exception');
  if (lost !== undefined) throw new TextIndexLost('the alias of the index is gone');
  const later = failed.find(({ status, type }) => status !== 400 || !documentErrorTypes.has(type));
  if (later !== undefined)
    throw new Error(`OpenSearch rejected a part of the bulk request: ${later.type}`);
  const [first] = failed;
  if (first === undefined) return undefined;
  return { documents: failed.length, reason: `${first.type}: ${first.reason ?? ''}` };
}

export function isMissing(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.statusCode === 404;
}
