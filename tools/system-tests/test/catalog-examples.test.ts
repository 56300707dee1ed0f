import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describeWith, until } from '@engawa/testing';
import { ExampleHouse } from './example-house.ts';

const catalogFolder = resolve(__dirname, '../../../apps/catalog');
const loadCommand = resolve(catalogFolder, 'src/load-command/main.ts');
const run = promisify(execFile);

let house: ExampleHouse;
beforeAll(async () => {
  house = await ExampleHouse.start();
});
afterAll(() => house.close());

describeWith(['curl', 'jq'], 'the examples of the catalog', () => {
  it('a NoSQL Workbench model is imported, and its index is queried', async () => {
    const file = resolve(catalogFolder, 'test/fixtures/workbench-clinic.json');
    const script = 'import-workbench-model.sh';
    const { stdout, stderr } = await house.play(script, [file, 'Visit', 'byDoctor', 'd#7']);
    expect(stderr).toContain('left out: Patient.Scan: an attribute of the type B');
    const ids = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]);
    expect(ids).toEqual(['p#1/v#2026-01-02', 'p#2/v#2026-02-03']);
  });

  it('four queries of a typed music catalog', async () => {
    const env = { PATH: process.env['PATH'], CATALOG_URL: house.services.urls.catalog };
    await run(process.execPath, [loadCommand, 'music'], { env });
    const rows = await house.cells('music.ts', 'Steely Dan', 'Rock', '1972', 'Heroes');
    const of = (question: string) =>
      rows.filter(([asked]) => asked === question).map(([, answer]) => answer);
    const in1972 = [
      'Change of the Guard',
      "Reelin' in the Years",
      'Turn That Heartbeat Over Again',
    ];
    expect(of('of the artist').toSorted()).toEqual([...in1972, 'Deacon Blues'].toSorted());
    expect(of('songs of the artist')).toEqual(['4']);
    expect(of('in 1972').toSorted()).toEqual(in1972);
    expect(of('Rock')).toHaveLength(4);
    expect(of('Heroes')).toEqual(['David Bowie']);
  });

  it('tickets are never oversold', async () => {
    expect(await house.cells('tickets.sh', '2', 'anna', 'ben', 'carla')).toEqual([
      ['anna', '1 left'],
      ['ben', '0 left'],
      ['carla', 'sold out'],
    ]);
  });

  it('an email address belongs to one user', async () => {
    const run = (user: string, email: string) => house.cells('unique-email.sh', user, email);
    expect(await run('ann', 'Ann@example.org')).toEqual([
      ['ann', 'ann@example.org'],
      ['owner', 'ann'],
    ]);
    expect(await run('bob', 'ANN@example.org')).toEqual([
      [
        'body.attributes.email',
        'must be unique among entities of type Account: "ann" has this value',
      ],
      ['owner', 'ann'],
    ]);
    expect(await run('ann', 'ann@new.example')).toEqual([
      ['ann', 'ann@new.example'],
      ['owner', 'ann'],
    ]);
    expect(await run('bob', 'ann@example.org')).toEqual([
      ['bob', 'ann@example.org'],
      ['owner', 'bob'],
    ]);
  });

  it('an expired session, and one with a later expiry', async () => {
    expect(await house.cells('sessions.sh', 'ben')).toEqual([
      ['old', 'logged out'],
      ['new', 'ben'],
    ]);
  });

  it('an order, its lines and the stock change in one transaction', async () => {
    const run = (order: string) => house.cells('order-with-lines.sh', order, '2', '1');
    expect(await run('o1')).toEqual([
      ['lamp', '3 left'],
      ['chair', '1 left'],
    ]);
    expect(await run('o1')).toEqual([['body.operations[0]: Order "o1" already exists.']]);
    await run('o2');
    expect((await run('o3')).join()).toContain('stock');
  });

  it('leaderboards of two games', async () => {
    expect(await house.cells('leaderboard-of-a-game.sh', 'go', 'ada', '25')).toEqual([
      ['1', 'ben', '30'],
      ['2', 'ada', '25'],
      ['3', 'cho', '20'],
      ['3', 'dot', '20'],
      ['ada is number 2 in go'],
    ]);
    const rows = await house.cells('leaderboard-of-a-game.sh', 'chess', '居間', '20');
    expect(rows.slice(1)).toEqual([
      ['2', 'cho', '20'],
      ['2', 'dot', '20'],
      ['2', '居間', '20'],
      ['居間 is number 2 in chess'],
    ]);
  });

  it('the members of a club with their roles', async () => {
    expect(await house.cells('members-with-roles.sh', 'anna', 'treasurer')).toEqual([
      ['Anna', 'treasurer', '2024-04-01'],
      ['Ben', 'chair', '2020-01-01'],
      [''],
      ['in 2 clubs'],
      ['chess', 'treasurer'],
      ['go', 'guest'],
    ]);
  });

  it('the list screens of a shop in two languages, with their prices', async () => {
    // The index contains the products after some time.
    await until('the products to be found', async () => {
      const rows = await house.cells('shop-screens.sh', 'en', 'lamp');
      return rows[1]?.[0] !== 'orders: batch-get-item=2, query-gsi2=1';
    });
    const orders = ['orders: batch-get-item=2, query-gsi2=1'];
    const ofCustomer = [['orders of anna: query-gsi2=1'], ['1', '2026-11-01'], ['3', '2026-11-03']];
    const counts = [
      ['living', '1'],
      ['study', '1'],
    ];
    expect(await house.cells('shop-screens.sh', 'en', 'lamp')).toEqual([
      ...[['products: batch-get-item=1'], ...counts],
      ...[['Desk lamp', '4200'], ['Floor lamp', '9800'], orders],
      ['3', 'Anna Schmidt', 'Floor lamp'],
      ['2', '健・斎藤', 'Tea table'],
      ['1', 'Anna Schmidt', 'Desk lamp'],
      ...ofCustomer,
    ]);
    expect(await house.cells('shop-screens.sh', 'ja', 'ﾗﾝﾌﾟ')).toEqual([
      ...[['products: batch-get-item=1'], ...counts],
      ...[['デスクランプ', '4200'], ['フロアランプ', '9800'], orders],
      ['3', 'Anna Schmidt', 'フロアランプ'],
      ['2', '健・斎藤', 'ちゃぶ台'],
      ['1', 'Anna Schmidt', 'デスクランプ'],
      ...ofCustomer,
    ]);
  });

  it('the list screens of a building, with their prices', async () => {
    const screens = [
      ['contracts: batch-get-item=2, query-gsi2=1'],
      ['2026-12-31', 'Kansai Boilers', 'Boiler'],
      ['2027-01-31', 'Cool Ltd', 'Chiller'],
      ['equipment of machine-room: batch-get-item=1, query-gsi1=1'],
      ['boiler', 'Boiler'],
      ['pump', 'Pump'],
    ];
    expect(await house.cells('building-screens.sh')).toEqual([
      ...screens,
      ['sato in machine-room: get-item=1'],
      ['until 2027-03-31'],
    ]);
    expect(await house.cells('building-screens.sh', 'machine-room', 'kelly')).toEqual([
      ...screens,
      ['kelly in machine-room: get-item=1'],
      ['The entities are not related'],
    ]);
  });

  it('the list screens of a game, with their prices', async () => {
    expect(await house.cells('game-screens.sh')).toEqual([
      ['leaderboard: batch-get-item=1, query-gsi2=1'],
      ['1', 'Mia', '30'],
      ['2', '蓮', '20'],
      ['2', 'Tom', '20'],
      ['week 2026-W48: query-gsi2=1'],
      ['1', 'shogi-mia', '30'],
      ['2', 'shogi-ren', '20'],
      ['place of ren: get-item=1, query-gsi2=1'],
      ['number 2'],
      ['friends of ren: batch-get-item=1, query=1'],
      ['Mia', '2025'],
      ['ren and mia: get-item=1'],
      ['since 2025'],
    ]);
    expect((await house.cells('game-screens.sh', 'shogi', 'ren', 'tom')).at(-1)).toEqual([
      'The entities are not related',
    ]);
  });

  it('a list of songs with filters, order, pages and counts', async () => {
    // The index contains the loaded entities after some time.
    await until('the songs to be found', async () => {
      const lines = await house.cells('search-with-filters.sh', '1972');
      return lines[0]?.[1] === '10';
    });
    expect(await house.cells('search-with-filters.sh', '1977', 'day')).toEqual([
      ['found', '1'],
      ['in 1998', '1'],
      ['1998', 'On a Day Like Today'],
    ]);
    expect(await house.cells('search-with-filters.sh', '1977')).toEqual([
      ['found', '6'],
      ['in 1977', '3'],
      ['in 1998', '2'],
      ['in 1984', '1'],
      ['1998', 'Cloud Number Nine'],
      ['1998', 'On a Day Like Today'],
      ['1984', "Summer of '69"],
      ['1977', 'Deacon Blues'],
      ['1977', 'Sons of the Silent Age'],
      ['1977', 'Heroes'],
    ]);
  });
});
