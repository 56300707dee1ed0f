import { parentPort, workerData } from 'node:worker_threads';
import { TextDatabaseFailure, TextDatabases } from './text-databases.ts';
import type { TextReply, TextRequest, TextWorkerData } from './text-messages.ts';

// The entry point of the worker thread: one request at a time, in the order in which they come. What is thrown out of here ends
// the thread, and the main thread starts another one.
const databases = new TextDatabases(workerData as TextWorkerData);

parentPort?.on('message', ({ id, request }: { id: number; request: TextRequest }) => {
  parentPort?.postMessage(replyTo(id, request));
  if (request.kind === 'close') parentPort?.close();
});

function replyTo(id: number, request: TextRequest): TextReply {
  try {
    const answer = databases.handle(request);
    return { id, size: databases.size, ...(answer !== undefined && { answer }) };
  } catch (error) {
    const failure = error instanceof TextDatabaseFailure ? error.failure : 'failed';
    return { id, size: databases.size, failure, reason: (error as Error).message };
  }
}
