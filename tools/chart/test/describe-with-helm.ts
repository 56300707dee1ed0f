import { spawnSync } from 'node:child_process';
import { describeWith } from '@engawa/testing';
import { helmCommand } from '../src/helm.ts';

/**
 * Tests that need Helm and further programs. Jest also runs the body of a skipped group, to list
 * its tests; without Helm these cannot be listed.
 */
export function describeWithHelm(name: string, tests: () => void, programs: string[] = []): void {
  const isThere = spawnSync(helmCommand(), ['version']).error === undefined;
  describeWith([helmCommand(), ...programs], name, isThere ? tests : leftOut);
}

function leftOut(): void {
  it('all of it', () => {
    throw new Error('Helm has gone while this ran');
  });
}
