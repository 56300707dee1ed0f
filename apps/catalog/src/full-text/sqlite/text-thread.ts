// The work of the worker thread, for environments without threads and files, such as the simulation.
export { handleTextRequest } from './handle-text-request.ts';
export { TextDatabases } from './text-databases.ts';
export type { TextFolder } from './text-databases.ts';
export type { TextRequestMessage, TextWorkerData } from './text-messages.ts';
