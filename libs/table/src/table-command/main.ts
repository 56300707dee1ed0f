import { runTask } from '@engawa/service';

await runTask('table', () => import('./start.ts'));
