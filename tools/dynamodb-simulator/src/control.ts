import { z } from 'zod';
import type { ServerResponse } from 'node:http';
import type { ConflictsInput } from './conflicts.ts';
import type { Counters } from './counters.ts';
import type { InjectedFaultInput } from './faults.ts';
import type { Limits, LimitsInput } from './limits.ts';

interface ControlRequest {
  method: string;
  url: string;
  text: string;
}

/** The state of a simulator that requests can read and change. */
interface Controllable {
  readonly counters: Counters;
  readonly limits: Limits;
  readonly faults: readonly InjectedFaultInput[];
  readonly conflicts: ConflictsInput | undefined;
  setLimits(limits: LimitsInput): void;
  setFaults(faults: readonly InjectedFaultInput[]): void;
  setConflicts(hold: ConflictsInput | undefined): void;
}

type Control = (simulator: Controllable, text: string) => unknown;

/** Requests to the simulator itself, by method and path. */
const controls: Readonly<Record<string, Control>> = {
  'GET /simulator': ({ limits, faults, conflicts, counters }) => ({
    limits,
    faults,
    conflicts,
    counters: counters.read(),
  }),
  'PUT /simulator/limits': (simulator, text) => {
    simulator.setLimits(JSON.parse(text) as LimitsInput);
    return { limits: simulator.limits };
  },
  'PUT /simulator/faults': (simulator, text) => {
    simulator.setFaults(JSON.parse(text) as InjectedFaultInput[]);
    return { faults: simulator.faults };
  },
  'DELETE /simulator/faults': (simulator) => {
    simulator.setFaults([]);
    return { faults: [] };
  },
  'PUT /simulator/conflicts': (simulator, text) => {
    simulator.setConflicts(JSON.parse(text) as ConflictsInput);
    return { conflicts: simulator.conflicts };
  },
  'DELETE /simulator/conflicts': (simulator) => {
    simulator.setConflicts(undefined);
    return {};
  },
  'DELETE /simulator/counters': ({ counters }) => {
    counters.reset();
    return { counters: counters.read() };
  },
};

export function handleControl(
  simulator: Controllable,
  { method, url, text }: ControlRequest,
  response: ServerResponse,
): void {
  const control = controls[`${method} ${url}`];
  if (control === undefined) {
    const there = Object.keys(controls).join(', ');
    answer(response, 404, { error: `there is no ${method} ${url}; there are ${there}` });
    return;
  }
  try {
    answer(response, 200, control(simulator, text));
  } catch (error) {
    const message = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    answer(response, 400, { error: message });
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body, undefined, 2)}\n`);
}
