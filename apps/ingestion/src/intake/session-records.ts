import { sessionKey } from '@engawa/keys';
import { retryForever } from '../concurrency/retry-forever.ts';
import type { MqttMetrics } from '@engawa/mqtt';
import type { Table } from '@engawa/table';
import type { RetryOptions } from '../concurrency/retry-forever.ts';

export interface SessionRecordsOptions extends RetryOptions {
  table: Table;
  metrics: Pick<MqttMetrics, 'sessionLost'>;
}

/**
 * Stores in the table which client identifiers have had a session, to detect a session that the broker lost while no
 * process was connected. Within a process the subscriber itself detects it.
 */
export class SessionRecords {
  readonly #options: SessionRecordsOptions;

  constructor(options: SessionRecordsOptions) {
    this.#options = options;
  }

  /** Called at the first connection of this process. Nothing waits for the result. */
  async connected(clientId: string, sessionPresent: boolean): Promise<void> {
    const { table, metrics, log } = this.#options;
    const key = sessionKey(clientId);
    await retryForever(async () => {
      const isKnown = (await table.get(key)) !== undefined;
      if (!isKnown) await table.put({ ...key, since: Date.now() });
      if (!isKnown || sessionPresent) return;
      metrics.sessionLost();
      log.warn(
        { clientId },
        'the broker lost the session, and the messages queued in it, while this replica was disconnected',
      );
    }, this.#options);
  }

  /** The client has unsubscribed: nothing is queued for it, so its session is not expected any more. */
  async left(clientId: string): Promise<void> {
    await this.#options.table.delete(sessionKey(clientId));
  }
}
