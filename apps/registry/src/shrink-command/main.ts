import { runTask } from '@engawa/service';

await runTask('shrink', () => import('./start.ts'));
