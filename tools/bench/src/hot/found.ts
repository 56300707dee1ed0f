import type { Findings } from '../report.ts';

/** The findings of one part of the run. */
export type Found = Pick<Findings, 'findings' | 'more'>;
