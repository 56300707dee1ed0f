import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** `refused`: a response of 401 or 403. `failed`: any other response without a report, or no response. */
export const peerOutcomes = ['answered', 'refused', 'failed'] as const;
export type PeerOutcome = (typeof peerOutcomes)[number];

/** Requests to other processes for the usage of partition keys. */
export class PeerMetrics {
  readonly #requests: Counter<'outcome'>;

  constructor(registry: Registry) {
    this.#requests = new Counter({
      name: 'engawa_hot_partition_peer_requests_total',
      help: 'Requests to other processes for their usage of partition keys, by outcome. A process sends requests only while it uses a key that may be hot in total over all processes.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of peerOutcomes) this.#requests.inc({ outcome }, 0);
  }

  countRequest(outcome: PeerOutcome): void {
    this.#requests.inc({ outcome });
  }
}
