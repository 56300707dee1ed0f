import { startProcess, workspace } from '@engawa/embedded';
import type { RunningProcess } from '@engawa/embedded';
import type { LiveStack } from '../live-stack.ts';

/** Runs the simulator's homes until it is closed; resolves when a day of their history is published. */
export function playHomes({ mqttUrl, urls }: LiveStack): Promise<RunningProcess> {
  return startProcess({
    name: 'simulator',
    command: [process.execPath, 'tools/simulator/src/main.ts', '--days', '1'],
    cwd: workspace,
    ready: { output: 'live: ' },
    environment: { MQTT_URL: mqttUrl, MQTT_VERSION: '3.1.1', REGISTRY_URL: urls.registry },
  });
}

/** Loads a model with full text into the catalog. */
export async function loadCatalog({ urls }: LiveStack): Promise<void> {
  await startProcess({
    name: 'catalog:load',
    command: [process.execPath, 'apps/catalog/src/load-command/main.ts', 'music'],
    cwd: workspace,
    ready: 'exited',
    environment: { CATALOG_URL: urls.catalog },
  });
}
