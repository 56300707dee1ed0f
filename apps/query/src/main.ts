import { runService } from '@engawa/service';

await runService('query', () => import('./start.ts'));
