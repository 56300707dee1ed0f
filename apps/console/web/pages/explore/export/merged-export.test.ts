import { ProblemError } from '@engawa/client';
import { MergedExport } from './merged-export.ts';
import type { ExploreRequest } from '../explore-requests.ts';
import type { ExploreState, Source } from '../explore-state.ts';
import type { ExportProgress, FileType } from './merged-export.ts';

const parameters = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' };

function readingsOf(source: Source, fields: ExploreState['fields']): ExploreRequest {
  return { source, fields, operation: 'readings', of: 'readings', parameters };
}

function bucketsOf(source: Source, field: string, name: 'avg' | 'increase'): ExploreRequest {
  const of = name === 'avg' ? 'levels' : 'counters';
  return {
    source,
    fields: [field],
    operation: 'aggregates',
    of,
    parameters: { ...parameters, fn: [name] },
  };
}

const time = (minute: number): string => `2026-11-20T00:${String(minute).padStart(2, '0')}:00.000Z`;
const heater: Source & { kind: 'device' } = { kind: 'device', id: 'heater, "1"' };
const home: Source = { kind: 'place', id: 'home' };
const meter: Source = { kind: 'device', id: 'meter' };

/** Rows of a service; every second one has a cursor. */
const csvRows = new Map<Source, [head: string, rows: string[]]>([
  [heater, ['time,power,temperature', [0, 1, 2, 3, 4].map((at) => `${time(at)},${at}.50,20.10`)]],
  [home, ['time,device,power,temperature', [0, 1, 2].map((at) => `${time(at)},"a,b",,2${at}`)]],
]);

interface ServiceOptions {
  texts: ReadonlyMap<Source, (cursor: number) => string>;
  /** Characters of each response before the connection breaks. */
  cuts: (number | undefined)[];
}

/** A service that sends a response in parts, and breaks connections. */
function fetchFrom({ texts, cuts }: ServiceOptions) {
  const cursors: (string | undefined)[] = [];
  const fetchRows = (
    request: ExploreRequest,
    _type: string,
    { extra }: { extra: Record<string, string> },
  ) => {
    cursors.push(extra.cursor);
    const text = texts.get(request.source)?.(Number(extra.cursor ?? 0)) ?? '';
    const cut = cuts.shift();
    const bytes = new TextEncoder().encode(text.slice(0, cut));
    let isSent = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (!isSent) controller.enqueue(bytes);
        else if (cut === undefined) controller.close();
        else controller.error(new TypeError('network error'));
        isSent = true;
      },
    });
    return Promise.resolve(new Response(body));
  };
  return { fetchRows, cursors };
}

const csvTexts = new Map(
  [...csvRows].map(([source, [head, rows]]) => [
    source,
    (cursor: number): string => {
      const lines = rows.map((row, at) => `${row},${at % 2 === 1 ? at + 1 : ''}`);
      return [`${head},cursor`, ...lines.slice(cursor), ''].join('\r\n');
    },
  ]),
);

const readings = [
  readingsOf(heater, ['power', 'temperature']),
  readingsOf(home, ['power', 'temperature']),
];

const wholeCsv = [
  'device,place,time,power,temperature',
  ...[0, 1, 2, 3, 4].map((at) => `"heater, ""1""",,${time(at)},${at}.50,20.10`),
  ...[0, 1, 2].map((at) => `"a,b",home,${time(at)},,2${at}`),
  '',
].join('\r\n');

function start(type: FileType, requests: ExploreRequest[], service: ServiceOptions) {
  const progress: ExportProgress[] = [];
  const { fetchRows, cursors } = fetchFrom(service);
  const onProgress = (one: ExportProgress): void => void progress.push(one);
  const file = new MergedExport({ type, requests, fetchRows, onProgress });
  const run = async () => (await file.run(new AbortController().signal)).text();
  return { run, cursors, progress };
}

test('rows of all devices are in one CSV file, with the digits of the service', async () => {
  const { run, progress } = start('CSV', readings, { texts: csvTexts, cuts: [] });
  expect(await run()).toBe(wholeCsv);
  expect(progress.at(-1)).toEqual({ done: 2, rows: 8, reached: time(2) });
});

test('a file that was cut off anywhere is continued, and is the same', async () => {
  const length = csvTexts.get(heater)?.(0).length ?? 0;
  for (let cut = 0; cut <= length; cut += 1) {
    const cuts = [cut, Math.max(0, cut - 30)];
    const { run, progress } = start('CSV', readings, { texts: csvTexts, cuts });
    await expect(run()).rejects.toThrow('network error');
    const { rows, reached } = progress.at(-1) ?? {};
    expect(rows).toBe(reached === undefined ? 0 : Number(reached.slice(14, 16)) + 1);
    await expect(run()).rejects.toThrow('network error');
    expect(await run()).toBe(wholeCsv);
  }
});

test('a failed file continues at its last cursor, and a complete request is not repeated', async () => {
  const length = csvTexts.get(heater)?.(0).length ?? 0;
  const { run, cursors } = start('CSV', readings, {
    texts: csvTexts,
    cuts: [length - 20, undefined, 5],
  });
  await expect(run()).rejects.toThrow();
  await expect(run()).rejects.toThrow();
  expect(await run()).toBe(wholeCsv);
  expect(cursors).toEqual([undefined, '4', undefined, undefined]);
});

test('a request whose cursor is rejected begins again', async () => {
  const length = csvTexts.get(heater)?.(0).length ?? 0;
  const { fetchRows } = fetchFrom({ texts: csvTexts, cuts: [length - 20] });
  const file = new MergedExport({
    type: 'CSV',
    requests: readings,
    fetchRows: (request, type, options) =>
      options.extra.cursor === undefined
        ? fetchRows(request, type, options)
        : Promise.reject(new ProblemError(400, {})),
    onProgress: () => undefined,
  });
  const { signal } = new AbortController();
  await expect(file.run(signal)).rejects.toThrow('network error');
  expect(await (await file.run(signal)).text()).toBe(wholeCsv);
});

test('buckets of several fields share a file: a column for each', async () => {
  const head = 'from,to,localFrom,incomplete';
  const bucket = `${time(0)},${time(5)},2026-11-20T00:00,`;
  const texts = new Map<Source, () => string>([
    [heater, () => `${head},temperature.avg,cursor\r\n${bucket},20.10,\r\n`],
    [meter, () => `${head},energy.increase,cursor\r\n${bucket},0.5,\r\n`],
  ]);
  const requests = [
    bucketsOf(heater, 'temperature', 'avg'),
    bucketsOf(meter, 'energy', 'increase'),
  ];
  const { run } = start('CSV', requests, { texts, cuts: [] });
  expect((await run()).split('\r\n')).toEqual([
    `device,${head},energy.increase,temperature.avg`,
    `"heater, ""1""",${bucket},,20.10`,
    `meter,${bucket},0.5,`,
    '',
  ]);
});

test('each line of NDJSON has its device, and no cursor', async () => {
  const tricky = { time: time(1), fields: { note: ',"cursor":"x"}' } };
  const texts = new Map<Source, () => string>([
    [heater, () => `{"time":"${time(0)}","fields":{"power":1.50}}\n${JSON.stringify(tricky)}\n`],
    [home, () => `{"device":"a","time":"${time(0)}","fields":{},"cursor":"1"}\n`],
  ]);
  const { run } = start('NDJSON', readings, { texts, cuts: [] });
  const lines = (await run()).trimEnd().split('\n');
  expect(lines[0]).toBe(`{"device":"heater, \\"1\\"","time":"${time(0)}","fields":{"power":1.50}}`);
  expect(lines.slice(1).map((line) => JSON.parse(line) as unknown)).toEqual([
    { device: heater.id, ...tricky },
    { place: 'home', device: 'a', time: time(0), fields: {} },
  ]);
});

test('a response that ends within a row is no complete file', async () => {
  const texts = new Map([[heater, () => '{"time":"2026']]);
  const { run } = start('NDJSON', readings.slice(0, 1), { texts, cuts: [] });
  await expect(run()).rejects.toThrow('within a row');
});
