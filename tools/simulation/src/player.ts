// The entry point of a child process: runs the plans that its parent sends, in order, and responds
// to each with the outcome.
import { knownDefects, undoFix } from './defects/index.ts';
import { machineClock, takeOver } from './kernel/index.ts';
import type { PlayedRun } from './command/played-run.ts';
import type { Plan } from './plan.ts';

takeOver();
const [undo] = process.argv.slice(2);
const defect = knownDefects.find(({ name }) => name === undo);
const undone = defect && undoFix(defect);
const { loadServices } = await import('./world/load-services.ts');
const { playSeed } = await import('./play-seed.ts');
const modules = await loadServices();
undone?.checkLoaded();

process.on('message', (plan: Plan) => {
  const began = machineClock();
  void playSeed({ ...plan, modules }).then((outcome) => {
    const played: PlayedRun = { ...outcome, seconds: (machineClock() - began) / 1000 };
    process.send?.(played);
  });
});
process.send?.('ready');
