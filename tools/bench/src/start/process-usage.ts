import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';

/** Milliseconds between two samples of the resident memory. */
const sampleIntervalMs = 250;
/** The memory is at rest when this many samples in a row differ by less than `toleranceBytes`. */
const quietSamples = 8;
const toleranceBytes = 256 * 1024;
/** A process whose memory never rests is measured as it is then. */
const maxSamples = 80;

/** @throws OperatorError on a system without Linux's /proc */
export function requireProc(): void {
  if (process.platform !== 'linux')
    throw new OperatorError('start reads /proc, which only Linux has');
}

/** Milliseconds of CPU that the threads of a process have used since it started (proc(5), schedstat). */
export function cpuMs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
}

/** Resident memory in bytes: all of it, and the part that is not mapped from files (proc(5), status). */
export interface Memory {
  resident: number;
  anonymous: number;
}

function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  return { resident: bytes('VmRSS'), anonymous: bytes('RssAnon') };
}

/** Waits until the memory of a process is at rest. */
export async function restingMemory(pid: number): Promise<Memory> {
  let quiet = memoryOf(pid);
  let count = 0;
  for (let sample = 0; count < quietSamples && sample < maxSamples; sample += 1) {
    await sleep(sampleIntervalMs);
    const now = memoryOf(pid);
    const isQuiet = Math.abs(now.resident - quiet.resident) < toleranceBytes;
    count = isQuiet ? count + 1 : 0;
    if (!isQuiet) quiet = now;
  }
  return memoryOf(pid);
}
