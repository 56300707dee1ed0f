import { TextDatabaseFailure } from './text-databases.ts';
import type { TextDatabases } from './text-databases.ts';
import type { TextReply, TextRequestMessage } from './text-messages.ts';

/** Handles one message in the thread of the full-text index. */
export function handleTextRequest(
  databases: TextDatabases,
  { id, request }: TextRequestMessage,
): TextReply {
  try {
    const answer = databases.handle(request);
    return { id, size: databases.size, ...(answer !== undefined && { answer }) };
  } catch (error) {
    const failure = error instanceof TextDatabaseFailure ? error.failure : 'failed';
    return { id, size: databases.size, failure, reason: (error as Error).message };
  }
}
