import { TextDatabaseFailure } from './text-databases.ts';
import type { TextDatabases } from './text-databases.ts';
import type { TextReply, TextRequestMessage } from './text-messages.ts';

/** What the thread of the full-text index replies to one message. */
export function answerTextRequest(
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
