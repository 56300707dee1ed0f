import { join } from 'node:path';

/** The chart, as it is in the tree. */
export const chartFolder = join(import.meta.dirname, '../../../charts/engawa');
