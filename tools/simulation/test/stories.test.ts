import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readStory } from '../src/command/story-file.ts';
import { simulate } from './support/simulate.ts';

const folder = join(__dirname, 'stories');
const stories = readdirSync(folder).map((file) => {
  const path = join(folder, file);
  return { path, ...readStory(path) };
});
const ofKnownDefects = stories.flatMap((story) =>
  story.undo === undefined ? [] : [{ ...story, undo: story.undo }],
);

describe('stories of failures', () => {
  it('do not happen any more', async () => {
    const plans = stories.flatMap(({ path }) => ['--plan', path]);
    const { code, text } = await simulate(...plans);
    expect(text).toContain(`0 of ${stories.length} worlds went wrong`);
    expect(code).toBe(0);
  });

  // Where it fails because an actor or a fault has changed, the plan is another world now: docs/simulation.md.
  it.each(ofKnownDefects)('happen with the known defect: $about', async ({ path, undo, wrong }) => {
    const { code, text } = await simulate('--plan', path, '--undo', undo);
    expect(text).toContain(`in 1 worlds: ${wrong}\n`);
    expect(code).toBe(1);
  });
});
