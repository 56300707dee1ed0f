import { connect } from 'node:net';
import { announcedSeed, describeWithMosquitto, startMosquitto } from '@engawa/testing';
import { mosquitto } from '../../src/broker/index.ts';
import { Random } from '../../src/kernel/random.ts';
import { inMosquitto, inSimulation } from './support/both-worlds.ts';
import { play } from './support/play.ts';
import { scenarios } from './support/scenarios.ts';
import { randomScript } from './support/script.ts';
import { Simulated } from './support/simulated.ts';

describeWithMosquitto('compared with a real Mosquitto', () => {
  it('random clients receive the same packets from Mosquitto and the simulated broker', async () => {
    const seed = announcedSeed('broker');
    for (let run = 0; run < 4; run++) {
      const steps = randomScript(new Random(seed + run), 120);
      const real = await startMosquitto();
      const open = () => connect(real.port, '127.0.0.1').setNoDelay();
      const expected = await play(steps, open).finally(() => real.close());
      const simulated = new Simulated(mosquitto);
      const actual = await play(steps, () => simulated.open());
      expect(actual).toEqual(expected);
    }
  });

  it.each(Object.entries(scenarios))(
    'clients receive the same packets from Mosquitto and the simulated broker: %s',
    async (_what, scenario) => {
      const expected = await inMosquitto(scenario);
      const actual = await inSimulation(scenario);
      expect(actual).toEqual(expected);
    },
  );
});
