import { runTask } from '@engawa/service';

await runTask('rollup', () => import('./start.ts'));
