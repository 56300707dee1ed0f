import { runService } from '@engawa/service';

await runService('registry', () => import('./start.ts'));
