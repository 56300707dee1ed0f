import { table } from './values.ts';
import type { Refusal } from './refusal.ts';

/** Labels and annotations that the chart sets itself, or that Kubernetes refuses. */
export const refusedMetadata: readonly Refusal[] = [
  [
    { catalog: { podLabels: { 'app.kubernetes.io/component': 'search' } } },
    'catalog.podLabels has app.kubernetes.io/component',
  ],
  [{ commonLabels: { 'engawa/scrape': 'false' } }, 'commonLabels has engawa/scrape'],
  [{ commonLabels: { team: 'two words' } }, 'commonLabels has team: "two words"'],
  [{ query: { podLabels: { 'the team': 'a' } } }, 'query.podLabels has the name "the team"'],
  [
    { query: { podAnnotations: { note: 'x'.repeat(262_144) } } },
    'query.podAnnotations has 262148 bytes, which Kubernetes refuses',
  ],
  [
    { query: { podAnnotations: { 'checksum/settings': 'x' } } },
    'query.podAnnotations has checksum/settings, which the chart sets itself',
  ],
  [
    { table: { ...table, annotations: { 'helm.sh/hook': 'post-install' } } },
    'table.annotations has helm.sh/hook',
  ],
];
