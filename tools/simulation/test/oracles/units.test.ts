import { countedOtherwise, countedTooMuch } from '../../src/oracles/units-audit.ts';

const query = 'Query gsi1 read';

describe('the capacity units that services count', () => {
  const taken = new Map([
    [query, 2],
    ['PutItem table write', 3],
  ]);

  it("are at most the table's units while responses are lost", () => {
    expect(countedTooMuch({ taken, counted: new Map([[query, 1.5]]) })).toEqual([]);
    expect(countedTooMuch({ taken, counted: new Map([[query, 2.5]]) })).toHaveLength(1);
    expect(countedTooMuch({ taken, counted: new Map([['GetItem table read', 1]]) })).toHaveLength(
      1,
    );
  });

  it("equal the table's units when no response is lost", () => {
    expect(countedOtherwise({ taken, counted: new Map(taken) })).toEqual([]);
    expect(countedOtherwise({ taken, counted: new Map([[query, 2]]) })).toEqual([
      'services count 0 units of PutItem table write, which took 3',
    ]);
  });
});
