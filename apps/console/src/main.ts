import { runService } from '@engawa/service';

await runService('console', () => import('./start.ts'));
