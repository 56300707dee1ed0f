import { handleTextRequest, TextDatabases } from '@engawa/catalog/text-thread';
import { registerThread } from '../kernel/index.ts';
import type { ServiceModule, ServiceSettings } from '@engawa/service';
import type { TextFolder, TextRequestMessage, TextWorkerData } from '@engawa/catalog/text-thread';

export const serviceNames = ['ingestion', 'registry', 'query', 'catalog'] as const;
export type ServiceName = (typeof serviceNames)[number];

export type ServiceModules = Readonly<Record<ServiceName, ServiceModule<ServiceSettings>>>;

/** Loads the `start` functions of all services. Call it after `takeOver`, which replaces functions of Node.js. */
export async function loadServices(): Promise<ServiceModules> {
  const [ingestion, registry, query, catalog] = await Promise.all([
    import('@engawa/ingestion'),
    import('@engawa/registry'),
    import('@engawa/query'),
    import('@engawa/catalog'),
  ]);
  registerThread('text-worker', fullTextThread);
  return { ingestion, registry, query, catalog };
}

/** A folder without files, since all databases of a simulated world are in memory. */
const noFolder: TextFolder = {
  pathOf: (name) => name,
  deleteFile: () => undefined,
  freeBytes: () => Infinity,
  remove: () => undefined,
};

function fullTextThread(data: unknown, reply: (message: unknown) => void) {
  const { maxBytes } = data as TextWorkerData;
  const databases = new TextDatabases({ folder: noFolder, maxBytes });
  return (message: unknown, exit: () => void) => {
    const request = message as TextRequestMessage;
    reply(handleTextRequest(databases, request));
    if (request.request.kind === 'close') exit();
  };
}
