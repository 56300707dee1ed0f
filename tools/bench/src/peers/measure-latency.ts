import { publishedReadings } from '../workload.ts';
import { nextPortion, workloadOf } from './loads.ts';
import { untilIdle } from './settle.ts';
import { readingsOfItem } from './stored-item.ts';
import { identityOf } from './verdict.ts';
import type { Portion } from '../workload.ts';
import type { PeersOptions } from './options.ts';
import type { Peer } from './peer.ts';
import type { PeersRig } from './rig.ts';

export type LatencyOptions = Pick<PeersOptions, 'rate' | 'seconds'>;

export interface Latencies {
  /** Milliseconds from the intended publication of each reading until the table's response to its write. */
  latencies: number[];
  /** Readings without a successful write. */
  lost: number;
}

/** Part of the measured time that is published before, uncounted. */
const warmUpShare = 0.5;

/** Publishes single readings at a rate that does not depend on the peer (open loop). */
export function measureLatency(
  rig: PeersRig,
  peer: Peer,
  { rate, seconds }: LatencyOptions,
): Promise<Latencies> {
  return rig.withStage(peer, 'tap', async (stage) => {
    const storedAt = new Map<string, number>();
    stage.tap.onPut = (item, time) => {
      for (const reading of readingsOfItem(item)) {
        const identity = identityOf(reading);
        if (!storedAt.has(identity)) storedAt.set(identity, time);
      }
    };
    const workload = workloadOf({ readings: 1 });
    const first = nextPortion(workload, 0, warmUpShare * seconds * rate);
    const second = nextPortion(workload, first.count, seconds * rate);
    const running = await stage.launch();
    await untilIdle(running);
    await stage.publisher.call('publish', { ...first, rate });
    const startedAt = await stage.publisher.call('publish', { ...second, rate });
    await stage.untilStored(running, [first, second]);
    return latenciesOf(second, { startedAt, rate }, storedAt);
  });
}

/** @param storedAt epoch milliseconds of the first successful write, by the reading's identity */
export function latenciesOf(
  { workload, from, count }: Portion,
  { startedAt, rate }: { startedAt: number; rate: number },
  storedAt: ReadonlyMap<string, number>,
): Latencies {
  const latencies: number[] = [];
  let lost = 0;
  for (let index = 0; index < count; index++) {
    const intendedAt = startedAt + (index * 1000) / rate;
    for (const reading of publishedReadings(workload, from + index)) {
      const at = storedAt.get(identityOf(reading));
      if (at === undefined) lost += 1;
      else latencies.push(at - intendedAt);
    }
  }
  return { latencies, lost };
}
