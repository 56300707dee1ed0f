import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** `refused` is an answer of 401 or 403; `failed` is any other answer without a report, or none. */
export const peerOutcomes = ['answered', 'refused', 'failed'] as const;
export type PeerOutcome = (typeof peerOutcomes)[number];

/** Requests among processes for what they use of partition keys. */
export class PeerMetrics {
  readonly #requests: Counter<'outcome'>;

  constructor(registry: Registry) {
    this.#requests = new Counter({
      name: 'engawa_hot_partition_peer_requests_total',
      help: 'Requests to other processes for the partition keys that they use, by outcome. There are none unless this process uses a key that may be hot in the sum of processes.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of peerOutcomes) this.#requests.inc({ outcome }, 0);
  }

  asked(outcome: PeerOutcome): void {
    this.#requests.inc({ outcome });
  }
}
