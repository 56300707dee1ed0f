// What the worker thread does, for those who run it otherwise: a simulation has no threads and no files.
export { answerTextRequest } from './answer-text-request.ts';
export { TextDatabases } from './text-databases.ts';
export type { TextFolder } from './text-databases.ts';
export type { TextRequestMessage, TextWorkerData } from './text-messages.ts';
