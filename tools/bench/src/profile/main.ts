// Prints the busy time of each CPU profile in a folder by area, and its most expensive functions:
//   node tools/bench/src/profile/main.ts DIRECTORY
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderRows } from '../report.ts';
import { functionNameOf, sharesOf } from './shares.ts';
import type { CpuProfile, Share } from './shares.ts';

/** Areas and functions with less are omitted. */
const minShare = 0.01;
const maxFunctions = 15;

function show(title: string, shares: readonly Share[]): void {
  const rows = shares
    .filter(({ share }) => share >= minShare)
    .map(({ name, share }) => [name, `${(100 * share).toFixed(1)} %`]);
  console.log(`${renderRows([title, 'share of busy time'], rows)}\n`);
}

const folder = process.argv[2] ?? '.';
for (const file of globSync('*.cpuprofile', { cwd: folder }).sort()) {
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
  const areas = sharesOf(profile);
  const seconds = areas.reduce((sum, { time }) => sum + time, 0) / 1e6;
  console.log(`${file}: ${seconds.toFixed(1)} s busy\n`);
  show('area', areas);
  show('function', sharesOf(profile, functionNameOf).slice(0, maxFunctions));
}
