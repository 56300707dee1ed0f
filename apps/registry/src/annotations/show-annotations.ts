import { parseExactJson } from '@engawa/model';
import { z } from 'zod';
import type { Annotations } from '@engawa/model';

const labelsOutput = z.record(z.string(), z.string()).optional();

/** The properties of annotated items: spread them into their schemas. */
export const annotationsOutput = {
  labels: labelsOutput.describe('Labels by key; absent if there are none.'),
  metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'A JSON object that a client has set; absent if there is none, and in lists by name without `place`.',
    ),
};

export function showLabels({ labels }: Annotations) {
  if (labels === undefined || Object.keys(labels).length === 0) return {};
  return { labels: { ...labels } };
}

export function showAnnotations(annotations: Annotations) {
  const { metadata } = annotations;
  const hasMetadata = metadata !== undefined && metadata !== '{}';
  return {
    ...showLabels(annotations),
    ...(hasMetadata && { metadata: parseExactJson(metadata) as Record<string, unknown> }),
  };
}
