import { gzipSync } from 'node:zlib';
import { openBeforeAll, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeAll(() => IngestionFixture.open());
beforeAll(() => fixture.start());

const ndjson = 'application/x-ndjson';
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('a rejected request', () => {
  const post = (body: RequestInit['body'], type?: string, path = '/v1/readings') =>
    fixture.post(path, body, type);
  const problem = (status: number, code: string) => ({
    status,
    body: { type: `/problems/${code}` },
  });

  it.each(['', '  ', 'hello', '{"device":"a","x":1', '{"device":"a"}}', '[1', '[,]', '[1,]', '[}'])(
    'because the body is not JSON: %j',
    async (text) => {
      const body = Buffer.from(text);
      expect(await post(body)).toMatchObject(problem(400, 'invalid-request'));
    },
  );

  it('because of text after its readings, which are stored nevertheless', async () => {
    const text = `[{"device":"a","ts":"${ago(1)}","x":1}] and more`;
    expect(await post(text)).toMatchObject(problem(400, 'invalid-request'));
    expect(await fixture.readingsOf('a')).toHaveLength(1);
  });

  it('because it has no body, or one of another type', async () => {
    expect(await post(null)).toMatchObject(problem(400, 'invalid-request'));
    expect(await post('a,b', 'text/csv')).toMatchObject(problem(415, 'unsupported-media-type'));
  });

  it('because it is too large: at once with a content length, otherwise when the limit is reached', async () => {
    const line = Buffer.from(`{"device":"bomb","ts":"${ago(1)}","x":1}\n`);
    const large = Buffer.alloc(10_000_001, line);
    expect(await post(large, ndjson)).toMatchObject(problem(413, 'payload-too-large'));
    const bomb = await fixture.ask('/v1/readings', {
      method: 'POST',
      headers: { 'content-type': ndjson, 'content-encoding': 'gzip' },
      body: gzipSync(large),
    });
    expect(bomb).toMatchObject(problem(413, 'payload-too-large'));
    await until(
      'the reading before the invalid text',
      async () => (await fixture.readingsOf('bomb')).length === 1,
    );
  });

  it('because of a parameter', async () => {
    for (const query of ['?devcie=a', '?device=', '?device=a&device=b', '?device=%0a']) {
      expect(await post('{"x":1}', undefined, `/v1/readings${query}`)).toMatchObject(
        problem(400, 'invalid-request'),
      );
    }
  });
});
