import { DeadLettersLedger } from '../../src/oracles/dead-letters-ledger.ts';

const [topic, payload, publishedAt] = ['engawa/one/readings', '{"x":1e400}', 1_767_268_800_000];

describe('a message with a value that is left out', () => {
  const ledger = new DeadLettersLedger();
  const outcome = () => ({ isLost: false, copies: 1 });
  ledger.note({ topic, payload, publishedAt, outcome, leftOut: ['"x"'] });
  const letter = { id: '1', topic, bytes: payload.length };
  const violationsOf = (leftOut: { field: string }[]) =>
    ledger.violationsOf([{ ...letter, leftOut }], publishedAt);

  it('has one dead letter', () => {
    expect(ledger.violationsOf([], publishedAt)).toHaveLength(1);
    expect(violationsOf([{ field: '"x"' }])).toEqual([]);
  });

  it('has a dead letter with the name of the value', () => {
    expect(violationsOf([])).toEqual([
      'a dead letter names the values () instead of ("x"): engawa/one/readings of 11 bytes',
    ]);
    expect(violationsOf([{ field: '"y"' }])).toHaveLength(1);
  });
});
