// The throttling simulator, in its own process: its work per request does not delay the measuring process.
import { Simulator } from '@engawa/dynamodb-simulator';
import { serve } from '../serve.ts';
import type { LimitsInput } from '@engawa/dynamodb-simulator';

export interface SimulatorMethods {
  /** From now on, with full buckets. */
  setLimits(limits: LimitsInput): Promise<void>;
}

const options = JSON.parse(process.argv[2] ?? '{}') as { upstream: string; limits: LimitsInput };
const simulator = await Simulator.start(options);

const methods: SimulatorMethods = {
  setLimits: (limits) => {
    simulator.setLimits(limits);
    return Promise.resolve();
  },
};
serve(methods, { endpoint: simulator.endpoint });
