import { publishedReadings } from '../workload.ts';
import { compare } from './verdict.ts';
import { untilStored } from './settle.ts';
import type { RunningProcess } from '@engawa/embedded';
import type { Closables } from '../closables.ts';
import type { PublisherMethods } from '../children/publisher.ts';
import type { DurableTap } from '../ingestion/durable-tap.ts';
import type { Worker } from '../worker.ts';
import type { Portion, PublishedReading } from '../workload.ts';
import type { Peer, PeerTarget } from './peer.ts';
import type { ProcessUsage } from './process-usage.ts';
import type { Verdict } from './verdict.ts';

interface StageParts {
  peer: Peer;
  parts: Closables;
  target: PeerTarget;
  /** Endpoint of the engine behind a proxy. */
  engine: string;
  publisher: Worker<PublisherMethods>;
  tap: DurableTap | undefined;
}

const endGraceMs = 10_000;

/** Everything around one peer. */
export class Stage {
  readonly #parts: StageParts;

  constructor(parts: StageParts) {
    this.#parts = parts;
  }

  /** Of the table that the peer writes to. */
  get endpoint(): string {
    return this.#parts.target.endpoint;
  }

  get publisher(): Worker<PublisherMethods> {
    return this.#parts.publisher;
  }

  get tap(): DurableTap {
    const { tap } = this.#parts;
    if (tap === undefined) throw new Error('this stage has no tap');
    return tap;
  }

  async launch(): Promise<RunningProcess> {
    const { peer, parts, target } = this.#parts;
    const running = await peer.launch(target);
    parts.add({ close: () => running.end('SIGTERM', endGraceMs).then(() => undefined) });
    return running;
  }

  /** Waits until all readings of the portions are stored, or the peer stores no more of them. */
  async untilStored(
    running: RunningProcess,
    portions: readonly Portion[],
  ): Promise<{ usage: ProcessUsage; verdict: Verdict }> {
    const { peer, target, engine } = this.#parts;
    const published = portions.flatMap(readingsOf);
    const devices = [...new Set(published.map(({ device }) => device))];
    const { usage, result } = await untilStored(running, {
      check: async () =>
        compare(published, await peer.readBack({ ...target, endpoint: engine }, devices)),
      missing: ({ lost }) => lost,
    });
    return { usage, verdict: result };
  }
}

function readingsOf({ workload, from, count }: Portion): PublishedReading[] {
  return Array.from({ length: count }, (_, index) =>
    publishedReadings(workload, from + index),
  ).flat();
}
