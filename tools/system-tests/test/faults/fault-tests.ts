import { FaultScenario } from './fault-scenario.ts';
import { SharedBackends } from './shared-backends.ts';
import type { FaultScenarioOptions } from './fault-scenario.ts';

/** One test per fault. Without a Mosquitto, tests that need one are skipped with a note. */
export function faultTests(): (
  name: string,
  options: FaultScenarioOptions,
  play: (scenario: FaultScenario) => Promise<unknown>,
) => void {
  let backends: SharedBackends;
  beforeAll(async () => {
    backends = await SharedBackends.open();
  });
  afterAll(() => backends.close());
  return (name, options, play) => {
    it(name, async () => {
      const scenario = await FaultScenario.open(backends, name, options);
      try {
        await play(scenario);
      } finally {
        await scenario.close();
      }
    });
  };
}
