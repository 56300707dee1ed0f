import { setTimeout as sleep } from 'node:timers/promises';
import { workspace } from '@engawa/embedded';
import { spread } from '../statistics.ts';
import { withRig } from '../with-rig.ts';
import { walkOf } from './own-calls.ts';
import { WalksRig } from './rig.ts';
import { sourceSize } from './source-size.ts';
import { walks, warmUp } from './walks.ts';
import type { Finding, Findings, Print } from '../report.ts';
import type { InspectedService } from './inspected-service.ts';
import type { WalksOptions } from './options.ts';
import type { Walk } from './own-calls.ts';
import type { RepeatedWalk } from './walks.ts';

/** How much code there is, and how much of it runs for one reading, request or entity. */
export async function benchWalks(options: WalksOptions, print: Print): Promise<Findings> {
  const findings = findingsOfSize(options);
  await withRig(await WalksRig.start(options), async (rig) => {
    for (const walk of walks) {
      const taken = await rig.withService(walk.service, (service) => take(walk, service, rig));
      print(`${walk.name}: ${taken.map(({ calls }) => calls).join(', ')} calls`);
      findings.push(
        plain(
          `${walk.name}: own calls`,
          spread(
            taken.map(({ calls }) => calls),
            0,
          ),
        ),
        plain(
          `${walk.name}: own files`,
          spread(
            taken.map(({ files }) => files),
            0,
          ),
        ),
      );
    }
  });
  return { how: `${options.repetitions} walks of each kind after ${warmUp}`, findings };
}

/** Walks are counted without what the service does in the same time when nobody asks anything. */
async function take(
  repeated: RepeatedWalk,
  service: InspectedService,
  rig: WalksRig,
): Promise<Walk[]> {
  const walking = await repeated.begin(service.url, rig);
  try {
    for (let number = 0; number < warmUp; number += 1) await walking.walk(number);
    const taken: Walk[] = [];
    for (let number = warmUp; number < warmUp + rig.repetitions; number += 1) {
      const began = performance.now();
      const calls = await service.count(() => walking.walk(number));
      const milliseconds = performance.now() - began;
      taken.push(walkOf(calls, await service.count(() => sleep(milliseconds))));
    }
    return taken;
  } finally {
    await walking.end();
  }
}

function findingsOfSize({ checkout = workspace }: WalksOptions): Finding[] {
  const { lines, files } = sourceSize(checkout);
  return [
    plain('lines of source, without tests and generated files', lines.toLocaleString('en')),
    plain('files of source', files.toLocaleString('en')),
  ];
}

function plain(what: string, measured: string): Finding {
  return { what, measured, baseline: '', ratio: '', target: '' };
}
