import { parentPort, workerData } from 'node:worker_threads';
import { handleTextRequest } from './handle-text-request.ts';
import { ReplicaFolder } from './replica-folder.ts';
import { TextDatabases } from './text-databases.ts';
import type { TextRequestMessage, TextWorkerData } from './text-messages.ts';

// The entry point of the worker thread: handles requests one at a time, in order. An uncaught error ends the thread,
// and the main thread starts another one.
const { folder, maxBytes } = workerData as TextWorkerData;
const databases = new TextDatabases({ folder: new ReplicaFolder(folder), maxBytes });

parentPort?.on('message', (message: TextRequestMessage) => {
  parentPort?.postMessage(handleTextRequest(databases, message));
  if (message.request.kind === 'close') parentPort?.close();
});
