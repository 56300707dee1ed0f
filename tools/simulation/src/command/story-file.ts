import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { OperatorError } from '@engawa/errors';
import type { Plan } from '../plan.ts';

/** A failure that has become a test: a file of `test/stories`. */
export interface StoryFile {
  /** What went wrong there, in a sentence. */
  about: string;
  plan: Plan;
  /** The kind of what is wrong there. */
  wrong: string;
  /** The known defect that has to be undone for that; without it, the defect was in the code as it was. */
  undo?: string | undefined;
}

export function readStory(file: string): StoryFile {
  return JSON.parse(readFileSync(file, 'utf8')) as StoryFile;
}

/** What the file says that the story is about stays. */
export function saveStory(file: string, story: StoryFile): void {
  const about = existsSync(file) ? readStory(file).about : story.about;
  writeFileSync(file, `${JSON.stringify({ ...story, about }, null, 2)}\n`);
}

/**
 * @param given a plan as JSON, or the path of a file with a story
 * @throws OperatorError where it is neither
 */
export function readPlan(given: string): Plan {
  try {
    const isJson = given.trimStart().startsWith('{');
    const plan = isJson ? (JSON.parse(given) as Plan) : readStory(given).plan;
    if (Number.isInteger(plan.seed) && Number.isInteger(plan.days)) return plan;
  } catch (error) {
    throw new OperatorError(`--plan: ${(error as Error).message}`);
  }
  throw new OperatorError(`--plan: a plan has 'seed' and 'days', whole numbers`);
}
