import { randomFrom } from '@engawa/testing';
import { incidentOf, play } from './incidents.ts';

const incidents = 200;

describe('of 200 incidents with neighbours, ramps, and limits of the table', () => {
  it('names 99 % of the culprits, and 1 % of the innocent keys at most', () => {
    const counts = { culprits: 0, named: 0, innocents: 0, blamed: 0 };
    for (let seed = 0; seed < incidents; seed++) {
      const random = randomFrom(seed);
      const incident = incidentOf(random);
      const hot = play(incident, random);
      for (const name of incident.demands.keys()) {
        const isHot = hot.has(name);
        counts.culprits += Number(name === incident.culprit);
        counts.named += Number(name === incident.culprit && isHot);
        counts.innocents += Number(name !== incident.culprit);
        counts.blamed += Number(name !== incident.culprit && isHot);
      }
    }
    expect(counts.culprits).toBeGreaterThan(incidents / 3);
    expect(counts.named / counts.culprits).toBeGreaterThanOrEqual(0.99);
    expect(counts.blamed / counts.innocents).toBeLessThanOrEqual(0.01);
  });
});
