import type { Findings } from '../report.ts';

/** What one part of the run found. */
export type Found = Pick<Findings, 'findings' | 'more'>;
