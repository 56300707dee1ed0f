import { openBeforeAll } from '@engawa/testing';
import { problemSchema } from '../src/response/problem-response.ts';
import { startSample } from './sample-app.ts';

const sample = openBeforeAll(startSample);

describe('the media type of a response', () => {
  it.each(['text/csv', 'text/html', 'application/json;q=0', 'application/x-ndjson'])(
    '%s is not acceptable where a route has JSON only',
    async (accept) => {
      const answer = await fetch(`${sample.url}/v1/devices/a`, { headers: { accept } });
      expect(problemSchema.parse(await answer.json())).toMatchObject({
        status: 406,
        type: '/problems/not-acceptable',
        detail: expect.stringContaining('application/json') as unknown,
      });
    },
  );

  it.each(['*/*', 'application/*', 'application/json; charset=utf-8', 'text/html, */*;q=0.1'])(
    '%s is acceptable',
    async (accept) => {
      const answer = await fetch(`${sample.url}/v1/devices/a`, { headers: { accept } });
      expect(answer.status).toBe(200);
    },
  );

  it('does not matter for a change, which has taken place when its response is written', async () => {
    const headers = { accept: 'text/html', 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'b' });
    const answer = await fetch(`${sample.url}/v1/devices/a`, { method: 'PATCH', headers, body });
    expect(answer.status).not.toBe(406);
  });
});
