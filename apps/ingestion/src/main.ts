import { runService } from '@engawa/service';

await runService('ingestion', () => import('./start.ts'));
