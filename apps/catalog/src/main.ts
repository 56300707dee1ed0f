import { runService } from '@engawa/service';

await runService('catalog', () => import('./start.ts'));
