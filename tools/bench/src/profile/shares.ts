import { areaOf } from './area.ts';
import type { CallFrame } from './area.ts';

/** A file that Node writes with --cpu-prof. */
export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[];
  /** The node of each sample. */
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
}

export interface Share {
  name: string;
  /** Microseconds of own time. */
  time: number;
  /** Of the busy time, from 0 to 1. */
  share: number;
}

/** Own time by name, largest first. @param nameOf undefined for time that is not counted */
export function sharesOf(
  { nodes, samples, timeDeltas }: CpuProfile,
  nameOf: (frame: CallFrame) => string | undefined = areaOf,
): Share[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const name = names.get(id);
    if (name !== undefined) times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  });
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .map(([name, time]) => ({ name, time, share: time / busy }))
    .toSorted((a, b) => b.time - a.time);
}

/** A function with its file and area, for the list of the most expensive functions. */
export function functionNameOf(frame: CallFrame): string | undefined {
  const area = areaOf(frame);
  if (area === undefined || area === 'garbage collection') return undefined;
  const file = frame.url.slice(frame.url.lastIndexOf('/') + 1);
  return `${frame.functionName === '' ? '(anonymous)' : frame.functionName} ${file} (${area})`;
}
