import { consumptionPerReading, readCounters, resetCounters } from './counters.ts';
import { nextPortion, readingsIn, workloadOf } from './loads.ts';
import { usageOf } from './process-usage.ts';
import { untilIdle } from './settle.ts';
import type { Consumption } from './counters.ts';
import type { LoadCase } from './loads.ts';
import type { PeersOptions } from './options.ts';
import type { Peer } from './peer.ts';
import type { ProcessUsage } from './process-usage.ts';
import type { PeersRig } from './rig.ts';

export type LoadOptions = Pick<PeersOptions, 'readings' | 'warmUp'>;

/** Usage at four times of a run. */
export interface Marks {
  /** Idle after its start, without load. */
  started: ProcessUsage;
  /** The warm-up is stored. */
  warm: ProcessUsage;
  /** Right before the measured portion. */
  before: ProcessUsage;
  /** The measured portion is stored. */
  after: ProcessUsage;
}

export interface LoadCosts {
  /** Microseconds of CPU per reading of the measured portion. */
  cpu: number;
  /** The same of the warm-up, without the start: compilation included. */
  coldCpu: number;
  /** Microseconds of CPU until the peer is idle without load. */
  startCpu: number;
  /** Bytes. */
  idleMemory: number;
  peakMemory: number;
}

export interface LoadRun extends LoadCosts {
  lost: number;
  changed: number;
  /** Of the measured portion, if the simulator counted it. */
  consumption?: Consumption;
}

/** The costs per reading: the start without load is subtracted. */
export function costsOf(
  { started, warm, before, after }: Marks,
  warmUpReadings: number,
  readings: number,
): LoadCosts {
  return {
    cpu: (after.cpu - before.cpu) / readings,
    coldCpu: (warm.cpu - started.cpu) / warmUpReadings,
    startCpu: started.cpu,
    idleMemory: started.peakMemory,
    peakMemory: after.peakMemory,
  };
}

/** Portions of a counted run: counts do not depend on compiled code, so one round of all devices is enough before. */
export const countedPortions: LoadOptions = { readings: 12_000, warmUp: 200 };

/** Runs a peer with one case of load. @param counted whether the simulator counts requests and units */
export function measureLoad(
  rig: PeersRig,
  peer: Peer,
  loadCase: LoadCase,
  { readings, warmUp }: LoadOptions,
  counted: boolean,
): Promise<LoadRun> {
  return rig.withStage(peer, counted ? 'simulator' : 'engine', async (stage) => {
    const workload = workloadOf(loadCase);
    const first = nextPortion(workload, 0, warmUp);
    const second = nextPortion(workload, first.count, readings);
    const running = await stage.launch();
    const started = await untilIdle(running);
    await stage.publisher.call('publish', first);
    // Stored, not only idle: a process without a core is idle, too, and its requests would be counted below.
    const { usage: warm } = await stage.untilStored(running, [first]);
    if (counted) await resetCounters(stage.endpoint);
    const before = usageOf(running.pid);
    await stage.publisher.call('publish', second);
    const after = await stage.untilStored(running, [first, second]);
    const marks = { started, warm, before, after: after.usage };
    const { lost, changed } = after.verdict;
    const run = { ...costsOf(marks, readingsIn(first), readingsIn(second)), lost, changed };
    if (!counted) return run;
    const counters = await readCounters(stage.endpoint);
    return { ...run, consumption: consumptionPerReading(counters, readingsIn(second)) };
  });
}
