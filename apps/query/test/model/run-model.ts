import { QueryFixture } from '../query-fixture.ts';
import { askBoth } from './ask-model.ts';
import { ModelTable } from './model-table.ts';
import { randomRequest } from './requests.ts';
import { randomWorld } from './random-world.ts';
import { Random } from './random.ts';

const rounds = 5;
const questionsOfRound = 20;
const questionsAtOnce = 6;
/** Share of the answers that may be marked as incomplete although the oracle knows all values. */
const mostNeedlessMarks = 0.005;
/** With as many units for a page, every bucket of a world is answered. */
const enoughUnits = 1000;
/** Milliseconds for which the service believes what it has read. */
const believed = 10_000;

/**
 * Asks the service random questions of random worlds, and works each out from all readings in a
 * list. Seeds are in what it throws: `SEED` asks the same again.
 * @param unitLimit what one page may cost; few bytes are in a page that may cost few units
 */
export async function runModel(options: { questions: number; unitLimit: number; seed: number }) {
  const wallClock = { now: Date.now() };
  const clock = { now: 0 };
  const spied = jest.spyOn(Date, 'now').mockImplementation(() => wallClock.now); // the service keeps the function
  const settings = {
    REQUEST_UNIT_LIMIT: String(options.unitLimit),
    RESPONSE_BYTE_LIMIT: String(Math.max(1000, options.unitLimit * 100)),
  };
  const fixture = await QueryFixture.open(settings, () => clock.now);
  try {
    let asked = 0;
    let [needlessMarks, refusals] = [0, 0];
    for (let seed = options.seed; asked < options.questions; seed++) {
      const random = new Random(seed);
      const world = randomWorld(random);
      wallClock.now = world.now;
      const table = new ModelTable(fixture, random, world);
      await table.build();
      for (let round = 0; round < rounds && asked < options.questions; round++) {
        if (round > 0) await table.change();
        wallClock.now = world.now;
        clock.now += believed;
        const questions = Array.from({ length: questionsOfRound }, () =>
          randomRequest(random, world),
        );
        asked += questions.length;
        await inTurn(questions, async (question) => {
          await askBoth(fixture, world, question).catch((cause: unknown) => {
            const where = `seed ${seed}, round ${round}, units ${options.unitLimit}`;
            throw new Error(`${where}: ${JSON.stringify(question)}\n${String(cause)}`);
          });
        });
      }
      needlessMarks += world.needlessMarks;
      refusals += world.refusals;
    }
    if (refusals > 0 && options.unitLimit >= enoughUnits) throw new Error(`${refusals} refusals`);
    if (needlessMarks > 1 + asked * mostNeedlessMarks)
      throw new Error(`${needlessMarks} answers are marked as incomplete without need`);
    return asked;
  } finally {
    spied.mockRestore();
    await fixture.close();
  }
}

async function inTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: questionsAtOnce }, worker));
}
