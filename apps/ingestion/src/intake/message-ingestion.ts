import type { Reading } from '@engawa/model';
import type { IngestResult } from '../refusals/refusal.ts';
import type { IncomingMessages, UnacknowledgedMessage } from './incoming-messages.ts';
import type { IngestCaller } from './ingest-caller.ts';

/** A message that waits until its readings are ingested. Then it is released, or becomes a dead letter. */
export class MessageIngestion implements IngestCaller {
  readonly #messages: IncomingMessages;
  readonly #received: UnacknowledgedMessage;

  constructor(messages: IncomingMessages, received: UnacknowledgedMessage) {
    this.#messages = messages;
    this.#received = received;
  }

  onChecked(readings: readonly Reading[]): void {
    this.#messages.weighReadings(this.#received, readings);
  }

  onPacked(): void {
    this.#messages.packed();
  }

  resolve({ stored, refusals }: IngestResult): void {
    const messages = this.#messages;
    const received = this.#received;
    // A replayed message whose readings were all stored before has neither.
    if (refusals.length === 0) messages.release(received, stored === 0 ? 'repeated' : 'stored');
    else messages.releaseAfter(received, messages.storeDeadLetter(received, refusals));
  }

  reject(error: unknown): void {
    const stored = this.#messages.storeAsDeadLetter(this.#received, error);
    this.#messages.releaseAfter(this.#received, stored);
  }
}
