import type { Findings } from '../report.ts';

/** The findings of one part of the run. */
export type PartFindings = Pick<Findings, 'findings' | 'more'>;
