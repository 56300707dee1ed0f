import { VirtualProcess } from './virtual-process.ts';
import type { Agenda } from './agenda.ts';
import type { Scheduled } from './world.ts';

let agenda: Agenda | undefined;
/** Wall-clock time at which a world begins (epoch milliseconds). */
let beginsAt = 0;

/** Makes a world the source of time and random numbers of this process. */
export function enterWorld(entered: Agenda, wallClockMs: number): void {
  agenda = entered;
  beginsAt = wallClockMs;
}

/** @throws Error before `enterWorld` */
export function currentWorld(): Agenda {
  if (agenda === undefined) throw new Error('no world has been entered');
  return agenda;
}

/** Epoch milliseconds by the clock of the current virtual process, or of the world. */
export function wallClock(): number {
  const ahead = VirtualProcess.current?.wallAheadMs ?? 0;
  return Math.floor(beginsAt + (agenda?.now() ?? 0) + ahead);
}

/** Milliseconds since the world began. */
export function monotonicClock(): number {
  return agenda?.now() ?? 0;
}

/** Schedules an event of the current virtual process, or else of the world. */
export function scheduleHere(delayMs: number, label: string, run: () => void): Scheduled {
  const process = VirtualProcess.current;
  if (process !== undefined) return process.schedule(delayMs, label, run);
  return currentWorld().schedule(delayMs, label, run);
}
