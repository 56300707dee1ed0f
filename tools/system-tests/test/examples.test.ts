import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describeWith } from '@engawa/testing';
import { ExampleHouse } from './example-house.ts';
import { startCuttingProxy } from './lists/start-cutting-proxy.ts';

const examples = resolve(__dirname, '../../../examples');
const loadCommand = resolve(__dirname, '../../../apps/catalog/src/load-command/main.ts');
const run = promisify(execFile);
const hour = 3_600_000;
const day = 24 * hour;

/** In Tokyo, which has no daylight saving time. */
const zone = 9 * hour;
const now = Date.now();
const today = Math.floor((now + zone) / day) * day - zone;

let house: ExampleHouse;

beforeAll(async () => {
  house = await ExampleHouse.start();
});

afterAll(() => house.close());

const clock = (time: number) => new Date(time + zone).toISOString().slice(0, 19).replace('T', ' ');

describeWith(['curl', 'jq'], 'the examples', () => {
  it('the hourly power of a house compared with yesterday', async () => {
    await house.put('/v1/places/villa', { name: 'Villa' });
    const yesterday = today - day;
    await house.report(
      { id: 'meter', kind: 'meter' },
      {
        [yesterday + hour]: { power: 100 },
        [yesterday + 1.5 * hour]: { power: 201 },
        [yesterday + 23 * hour]: { power: 50 },
        [today]: { power: 300 },
      },
    );
    await house.settle('villa', 'meter', today - 10 * day);
    const [head, ...rows] = await house.cells('power-by-hour.sh', 'villa');
    expect(head).toEqual(['hour', 'yesterday', 'today']);
    expect(rows).toHaveLength(24);
    expect(rows[0]).toEqual(['00', '-', '300']);
    expect(rows[1]).toEqual(['01', '151', '-']);
    expect(rows[23]).toEqual(['23', '50', '-']);
  });

  it('the time at which each door was last opened', async () => {
    await house.put('/v1/places/cottage', { name: 'Cottage' });
    const opened = now - 5 * hour;
    await house.report(
      { id: 'door#front', name: 'Front door', kind: 'contact' },
      {
        [opened - day]: { contact: 'open' },
        [opened]: { contact: 'open' },
        [opened + 9000]: { contact: 'closed' },
      },
    );
    await house.report(
      { id: 'door-back', name: '勝手口', kind: 'contact' },
      {
        [opened - hour]: { contact: 'closed' },
      },
    );
    await house.settle('cottage', 'door#front', now - 10 * day);
    await house.settle('cottage', 'door-back', now - 10 * day);
    const rows = await house.cells('doors.sh', 'cottage');
    expect(rows.toSorted()).toEqual([
      [clock(opened), 'Front door'],
      ['not in 30 days', '勝手口'],
    ]);
  });

  it('sensors without readings for an hour', async () => {
    await house.report({ id: 'lively', name: 'Lively' }, { [now - 60_000]: { temperature: 20 } });
    await house.report(
      { id: 'silent', name: 'Silent' },
      { [now - 90 * 60_000]: { temperature: 20 } },
    );
    await house.report({ id: 'gone', name: 'Gone' }, { [now - 400 * day]: { temperature: 20 } });
    const names = (await house.cells('silent-sensors.sh')).map(([, name]) => name);
    expect(names[0]).toBe('Gone');
    expect(names).toContain('Silent');
    expect(names).not.toContain('Lively');
  });

  it('the temperature of each room over the last day, with gaps filled', async () => {
    await house.put('/v1/places/cabin', { name: 'Cabin' });
    for (const room of ['loft', 'porch']) {
      await house.put(`/v1/rooms/cabin/${room}`, { name: room });
      await house.report({ id: `cabin-${room}` }, { [now - 12.5 * hour]: { temperature: 20 } });
      await house.settle('cabin', `cabin-${room}`, now - 10 * day, room);
    }
    const [head, ...rows] = await house.cells('temperature-chart.sh', 'cabin', '25');
    expect(head).toEqual(['room', 'from', 'mean', 'p95']);
    expect(rows.filter(([room]) => room === 'loft')).toHaveLength(rows.length / 2);
    expect(rows[0]?.slice(2)).toEqual(['-', '-']);
    expect(rows.at(-1)?.slice(2)).toEqual(['20', '20']);
  });

  it('devices with a label', async () => {
    await house.put('/v1/places/manor', { name: 'Manor' });
    await house.put('/v1/rooms/manor/hall', { name: 'Hall' });
    await house.report({ id: 'hall#1', name: 'Hall 1' }, { [now - hour]: { temperature: 20 } });
    await house.report({ id: 'hall-2', name: '玄関 2' }, { [now - 2 * hour]: { temperature: 20 } });
    await house.report(
      { id: 'shed', name: 'Shed', labels: { floor: '0' } },
      { [now - 3 * hour]: { temperature: 20 } },
    );
    const labels = { floor: '0' };
    const unapproved = { id: 'unapproved', status: 'pending', labels } as const;
    await house.report(unapproved, { [now - hour]: { temperature: 20 } });
    await house.settle('manor', 'hall#1', now - day, 'hall');
    await house.settle('manor', 'hall-2', now - day, 'hall');
    expect(await house.cells('devices-by-label.sh', 'manor', 'hall', 'floor=0')).toEqual([
      ['Hall 1', 'manor', 'hall'],
      ['玄関 2', 'manor', 'hall'],
      ['Shed', '-', '-'],
    ]);
  });

  it('the temperature of a room over a week, although its sensor was replaced', async () => {
    await house.put('/v1/places/flat', { name: 'Flat' });
    await house.put('/v1/rooms/flat/study', { name: 'Study' });
    const replaced = today - 3 * day + 12 * hour;
    await house.report(
      { id: 'old' },
      {
        [today - 4 * day + hour]: { temperature: 19.04 },
        [today - 3 * day + hour]: { temperature: 20 },
        [today - 2 * day + hour]: { temperature: 99 },
      },
    );
    await house.report(
      { id: 'new' },
      {
        [today - 3 * day + hour]: { temperature: -99 },
        [today - 3 * day + 13 * hour]: { temperature: 22.5 },
        [today - 2 * day + hour]: { temperature: 21 },
      },
    );
    await house.settle('flat', 'old', today - 30 * day, 'study');
    await house.settle('flat', 'new', replaced, 'study');
    await house.put('/v1/rooms/flat/attic', { name: 'Attic' });
    await house.settle('flat', 'old', replaced, 'attic');
    const [head, ...rows] = await house.cells('room-temperature.sh', 'flat', 'study');
    const date = (daysAgo: number) => clock(today - daysAgo * day).slice(0, 10);
    expect(head).toEqual(['day', 'min', 'avg', 'max']);
    expect(rows.slice(2, 5)).toEqual([
      [date(4), '19', '19', '19'],
      [date(3), '20', '21.3', '22.5'],
      [date(2), '21', '21', '21'],
    ]);
    expect(rows.at(-1)).toEqual([date(0), '-', '-', '-']);
  });

  it('all readings of a house over interrupted transfers', async () => {
    await house.put('/v1/places/farm', { name: 'Farm' });
    const times = Array.from({ length: 3000 }, (_, index) => today - day + index * 1000);
    const readings = times.map((ts) => ({ device: 'gauge', ts, level: ts }));
    const body = readings.map((reading) => JSON.stringify(reading)).join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    await fetch(`${house.services.urls.ingestion}/v1/readings`, { method: 'POST', headers, body });
    await house.settle('farm', 'gauge', today - 10 * day);
    const cuts = [50_000, 200_000, 30_000];
    const proxy = await startCuttingProxy(house.services.urls.query, cuts);
    const folder = await mkdtemp(join(tmpdir(), 'engawa-'));
    const file = join(folder, 'readings.ndjson');
    const from = String((today - day) / 1000);
    await house.play('export-readings.sh', [file, 'farm', from], { QUERY_URL: proxy.url });
    proxy.close();
    const rows = (await readFile(file, 'utf8')).trimEnd().split('\n');
    await rm(folder, { recursive: true });
    expect(rows.map((row) => Date.parse((JSON.parse(row) as { time: string }).time))).toEqual(
      times,
    );
    expect(cuts).toEqual([]);
  });

  it('the increase of a meter after its replacement and a spike are corrected', async () => {
    const first = today - 5 * day;
    const energies = [100, 110, 5000, 5010, 1_000_000, 5020];
    await house.report(
      { id: 'replaced', kind: 'meter' },
      Object.fromEntries(energies.map((energy, index) => [first + index * hour, { energy }])),
    );
    const times = [first + 1.5 * hour, first + 4 * hour].map((at) => new Date(at).toISOString());
    const asked = ['replaced', 'energy', ...times.map((time) => time.replace('.000', ''))];
    expect(await house.cells('correct-meter.sh', ...asked)).toEqual([
      ['increase', '30'],
      ['reset', times[0], 'the meter was replaced'],
      ['ignore', times[1], 'a spike'],
    ]);
  });

  it('a reading that begins a trace', async () => {
    const { urls } = house.services;
    const [[trace]] = (await house.cells('trace-a-reading.sh', 'traced lamp', '19.5')) as [
      [string],
    ];
    expect(trace).toMatch(/^[\da-f]{32}$/);
    const latest = await fetch(`${urls.query}/v1/devices/traced%20lamp/latest`);
    expect(JSON.stringify(await latest.json())).toContain('19.5');
  });

  it('a house with a second door', async () => {
    const rows = await house.cells('second-door.sh', 'Villa', 'VillaDoor');
    expect(rows.map((row) => row.join(' ')).join('; ')).toBe(
      'before front; declared front; added back front; front leads to villa; built back front',
    );
  });

  it('the songs of an artist by year', async () => {
    const env = { PATH: process.env['PATH'], CATALOG_URL: house.services.urls.catalog };
    await run(process.execPath, [loadCommand, 'music'], { env });
    expect(await house.cells('songs-of-an-artist.sh', 'steely dan')).toEqual([
      ['1972', 'Change of the Guard'],
      ['1972', "Reelin' in the Years"],
      ['1972', 'Turn That Heartbeat Over Again'],
      ['1977', 'Deacon Blues'],
    ]);
    expect(await house.cells('songs-of-an-artist.sh', 'Bryan Adams', '1990', '2000')).toEqual([
      ['1998', 'Cloud Number Nine'],
      ['1998', 'On a Day Like Today'],
    ]);
    await expect(house.cells('songs-of-an-artist.sh', 'Nobody')).rejects.toThrow(
      'there is no artist called Nobody',
    );
  });
});

it('each example runs in one of these tests, and is listed in the README', async () => {
  const scripts = readdirSync(examples).filter((name) => name !== 'README.md');
  const files = readdirSync(__dirname).filter((name) => name.endsWith('examples.test.ts'));
  const [readme, ...tests] = await Promise.all(
    [join(examples, 'README.md'), ...files.map((name) => join(__dirname, name))].map((file) =>
      readFile(file, 'utf8'),
    ),
  );
  for (const script of scripts) {
    expect(tests.join()).toContain(`'${script}'`);
    expect(readme).toContain(`(${script})`);
  }
});
