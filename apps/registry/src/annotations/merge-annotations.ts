import { Problem } from '@engawa/errors';
import { mergePatch, parseExactJson } from '@engawa/model';
import { excessOf } from './labels-schema.ts';
import { metadataJson } from './metadata-schema.ts';
import type { Annotations, Labels } from '@engawa/model';
import type { LabelsPatch } from './labels-schema.ts';
import type { MetadataPatch } from './metadata-schema.ts';

/** The labels and metadata of a merge patch; null removes all. */
export interface AnnotationsPatch {
  labels?: LabelsPatch | null | undefined;
  metadata?: MetadataPatch | null | undefined;
}

/** The labels and metadata after a PUT whose body has neither. */
export const noAnnotations = { labels: {}, metadata: '{}' };

/** Separates labels and metadata, which are merged into the stored item, from all other changes. */
export function splitPatch<Body extends AnnotationsPatch>({ labels, metadata, ...changes }: Body) {
  const patch: AnnotationsPatch | undefined =
    labels === undefined && metadata === undefined ? undefined : { labels, metadata };
  return { patch, changes };
}

/**
 * Merges a patch into labels and metadata; returns only what the patch concerns.
 * @throws Problem `invalid-request` where the result exceeds a limit
 */
export function mergeAnnotations(
  current: Annotations,
  { labels, metadata }: AnnotationsPatch,
): Annotations {
  return {
    ...(labels !== undefined && { labels: mergeLabels(current.labels ?? {}, labels) }),
    ...(metadata !== undefined && { metadata: mergeMetadata(current.metadata, metadata) }),
  };
}

function mergeLabels(current: Labels, patch: LabelsPatch | null): Labels {
  if (patch === null) return {};
  const merged = mergePatch(current, patch) as Labels;
  const excess = excessOf(merged);
  if (excess !== undefined) throw refusal('labels', excess);
  return merged;
}

function mergeMetadata(current: string | undefined, patch: MetadataPatch | null): string {
  if (patch === null) return '{}';
  const json = metadataJson(mergePatch(parseExactJson(current ?? '{}'), patch));
  if ('fault' in json) throw refusal('metadata', json.fault);
  return json.text;
}

function refusal(field: string, fault: string): Problem {
  return new Problem('invalid-request', `Merged with the stored item, body.${field} ${fault}.`, {
    fieldErrors: [{ path: `body.${field}`, message: fault }],
  });
}
