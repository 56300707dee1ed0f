export { Simulator } from './simulator.ts';
export { StrictProxy } from './strict-proxy.ts';
export type { SimulatorOptions } from './simulator.ts';
export type { ConflictsInput } from './conflicts.ts';
export type { InjectedFaultInput as FaultInput } from './faults.ts';
export type { LimitsInput } from './limits.ts';
