import { spawnSync } from 'node:child_process';
import { describeWith } from '@engawa/testing';
import { helmCommand } from '../src/helm.ts';

/**
 * Tests that need Helm, and further programs. Jest runs the body of a group that is left out as
 * well, to list its tests; without Helm these cannot even be listed.
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
