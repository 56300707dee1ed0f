import { openBeforeAll } from '@engawa/testing';
import { expectResponse } from '../src/openapi/expect-response.ts';
import { cellText, Verbatim } from '../src/rows/csv.ts';
import { startRowsApp } from './rows-app.ts';

const app = openBeforeAll(startRowsApp);

const ask = (path: string, accept?: string, method = 'GET') =>
  fetch(`${app.url}/v1/lists/${path}`, { method, ...(accept && { headers: { accept } }) });
const typeOf = (answer: Response) => answer.headers.get('content-type')?.split(';')[0];

const json = 'application/json';
const ndjson = 'application/x-ndjson';
const csv = 'text/csv';

describe('the format of a list', () => {
  it.each([
    [json, json],
    ['*/*', json],
    ['application/*', json],
    [ndjson, ndjson],
    [csv, csv],
    ['text/*', csv],
    ['text/csv; charset=utf-8', csv],
    ['text/csv;charset=UTF-8;header=present', csv],
    ['application/json;q=0.5, text/csv', csv],
    ['text/csv;q=0.2, application/x-ndjson;q=0.3, application/xml', ndjson],
    ['text/csv;q=0, */*;q=0.1', json],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', json],
  ])('for %s is %s', async (accept, type) => {
    const answer = await ask('form?rows=1', accept);
    expect([answer.status, typeOf(answer), answer.headers.get('vary')]).toEqual([
      200,
      type,
      'Accept-Encoding, Accept',
    ]);
    await expectResponse(await app.contract(), answer);
  });

  it.each(['text/html', 'application/xml', 'text/csv;q=0', 'text/csv; header=absent', 'nonsense'])(
    'is not acceptable for %s',
    async (accept) => {
      const answer = await ask('form?rows=1', accept);
      const problem = await expectResponse(await app.contract(), answer);
      expect(problem).toMatchObject({ status: 406, type: '/problems/not-acceptable' });
      expect(answer.headers.get('vary')).toBe('Accept-Encoding, Accept');
    },
  );

  it('is in the response to HEAD, which has no rows and leaves none open', async () => {
    for (const accept of [json, ndjson, csv]) {
      const answer = await ask('head?rows=5', accept, 'HEAD');
      expect([answer.status, typeOf(answer), await answer.text()]).toEqual([200, accept, '']);
    }
    expect(app.watched.get('head')).toMatchObject({ given: 1, ended: true });
  });

  it('is in the OpenAPI document', async () => {
    const { paths } = await app.contract();
    const responses = paths['/v1/lists/{name}']?.['get']?.responses;
    expect(Object.keys(responses?.['200']?.content ?? {})).toEqual([json, ndjson, csv]);
    expect(responses?.['406']?.description).toContain('not-acceptable');
  });
});

describe('rows', () => {
  it('are lines of JSON with exact numbers, complete', async () => {
    const answer = await ask('lines?rows=1000', ndjson);
    expect(answer.headers.get('transfer-encoding')).toBe('chunked');
    const [first] = (await answer.clone().text()).split('\n');
    expect(first).toBe(
      '{"time":"1970-01-01T00:00:00.000Z","name":"plain","value":-0.12345678901234567890123}',
    );
    expect(await expectResponse(await app.contract(), answer)).toHaveLength(1000);
    expect(app.watched.get('lines')).toMatchObject({ given: 1000, ended: true });
  });

  it('are lines of CSV without formulas for spreadsheets', async () => {
    const answer = await ask('csv?rows=10', csv);
    expect(await answer.text()).toBe(
      [
        "time,'=name,value,missing",
        '1970-01-01T00:00:00.000Z,plain,-0.12345678901234567890123,',
        '1970-01-01T00:00:00.001Z,"a,b",-5,',
        '1970-01-01T00:00:00.002Z,"say ""hi""",-0.12345678901234567890123,',
        '1970-01-01T00:00:00.003Z,"two\nlines",-5,',
        "1970-01-01T00:00:00.004Z,'=1+1,-0.12345678901234567890123,",
        "1970-01-01T00:00:00.005Z,'@cmd,-5,",
        "1970-01-01T00:00:00.006Z,'-1,-0.12345678901234567890123,",
        "1970-01-01T00:00:00.007Z,',-5,",
        '1970-01-01T00:00:00.008Z,居間,-0.12345678901234567890123,',
        '1970-01-01T00:00:00.009Z,,-5,',
        '',
      ].join('\r\n'),
    );
  });

  it('may be none: an empty body, or a header only', async () => {
    expect(await (await ask('none?rows=0', ndjson)).text()).toBe('');
    expect(await (await ask('none?rows=0', csv)).text()).toBe("time,'=name,value,missing\r\n");
  });

  it('are sent before later rows are available', async () => {
    const answer = await ask('later?rows=3&waitsAt=2', ndjson);
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (text.split('\n').length < 3) text += String((await reader?.read())?.value);
    app.watched.get('later')?.release();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      text += part.value;
    }
    expect(text.split('\n')).toHaveLength(4);
  });

  it('cause a normal problem response when they fail before the first row', async () => {
    const contract = await app.contract();
    for (const accept of [ndjson, csv]) {
      const answer = await ask('first?rows=5&failsAt=0', accept);
      expect(await expectResponse(contract, answer)).toMatchObject({ status: 500 });
      expect(await (await ask('first?rows=5&failsAt=0&problem=yes', accept)).json()).toMatchObject({
        type: '/problems/table-throttled',
      });
    }
    expect((await ask('first?rows=x', csv)).status).toBe(400);
  });
});

describe('a cell', () => {
  it.each([
    [undefined, ''],
    [null, ''],
    [true, 'true'],
    [-5, '-5'],
    [-5n, '-5'],
    ['-5', "'-5"],
    ['+1', "'+1"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r=1"],
    ['＝1', "'＝1"],
    [' =1', ' =1'],
    [{ toJSON: () => '=1' }, "'=1"],
    [['a', 1], '["a",1]'],
    [{ a: '=1' }, '{"a":"=1"}'],
    [new Verbatim('-cursor'), '-cursor'],
  ])('of %j is %j', (value, text) => {
    expect(cellText(value)).toBe(text);
  });
});
