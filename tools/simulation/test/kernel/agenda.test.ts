import { Agenda, Random } from '../../src/kernel/index.ts';

const settle = () => Promise.resolve();

describe('the agenda of a world', () => {
  it('runs events by time, and by order of scheduling for equal times', async () => {
    const random = new Random(7);
    const agenda = new Agenda(random);
    const delays = Array.from({ length: 2000 }, () => random.integer(0, 300));
    const played: [number, number][] = [];
    for (const [order, delay] of delays.entries()) {
      agenda.schedule(delay, 'event', () => played.push([agenda.now(), order]));
    }
    await agenda.runUntil(300, { settle });
    const expected = delays
      .map((delay, order): [number, number] => [delay, order])
      .toSorted(([one, first], [other, second]) => one - other || first - second);
    expect(played).toEqual(expected);
  });

  it('runs events due by the end, also those scheduled by events, but no cancelled ones', async () => {
    const agenda = new Agenda(new Random(1));
    const played: string[] = [];
    const note = (name: string) => () => played.push(`${name} at ${agenda.now()}`);
    agenda.schedule(10, 'first', () => {
      note('first')();
      agenda.schedule(5, 'second', note('second'));
      late.cancel();
    });
    const late = agenda.schedule(20, 'late', note('late'));
    agenda.schedule(31, 'later', note('later'));
    await agenda.runUntil(30, { settle });
    expect(played).toEqual(['first at 10', 'second at 15']);
    expect(agenda.now()).toBe(30);
  });

  it('runs events that were due during a leap after it, in order', async () => {
    const agenda = new Agenda(new Random(1));
    const played: string[] = [];
    for (const delay of [200, 100]) {
      agenda.schedule(delay, 'event', () => played.push(`${delay} at ${agenda.now()}`));
    }
    agenda.leap(1000);
    await agenda.runUntil(1000, { settle });
    expect(played).toEqual(['100 at 1000', '200 at 1000']);
  });

  it('stops when the stop condition holds', async () => {
    const agenda = new Agenda(new Random(1));
    let played = 0;
    for (let event = 0; event < 5; event++) agenda.schedule(event, 'event', () => played++);
    await agenda.runUntil(100, { settle, isEnough: () => played === 2 });
    expect([played, agenda.now()]).toEqual([2, 1]);
  });
});
