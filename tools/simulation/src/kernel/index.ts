export { Agenda } from './agenda.ts';
export { Random } from './random.ts';
export { VirtualNetwork } from './virtual-network.ts';
export { VirtualProcess } from './virtual-process.ts';
export { registerThread } from './virtual-thread.ts';
export { enterNetwork, machineClock, settle, takeOver } from './take-over.ts';
export { enterWorld, wallClock } from './current-world.ts';
export type { Connection } from './virtual-network.ts';
export type { Scheduled, World } from './world.ts';
