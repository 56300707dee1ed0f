import { join } from 'node:path';

/** Folder of the chart in this repository. */
export const chartFolder = join(import.meta.dirname, '../../../charts/engawa');
