import { openBeforeAll } from '@engawa/testing';
import { expectResponse } from '../src/openapi/expect-response.ts';
import { startSample } from './sample-app.ts';

describe('a PATCH', () => {
  const sample = openBeforeAll(startSample);

  const patch = async (type: string, body: string) => {
    const init = { method: 'PATCH', headers: { 'content-type': type }, body };
    const answer = await fetch(`${sample.url}/v1/devices/a`, init);
    return expectResponse(await sample.contract(), answer, 'patch');
  };

  it.each(['application/json', 'application/merge-patch+json'])('may be %s', async (type) => {
    expect(await patch(type, '{"name":"x"}')).toEqual({ name: 'x' });
    // RFC 7396: null removes a field, and a required one cannot be removed.
    expect(await patch(type, '{"name":null}')).toMatchObject({
      status: 400,
      errors: [{ path: 'body.name', message: 'must be a string' }],
    });
  });

  it('rejects a list of operations (JSON Patch)', async () => {
    expect(await patch('application/json-patch+json', '[]')).toMatchObject({
      status: 415,
      detail: expect.stringContaining('application/merge-patch+json') as unknown,
    });
  });

  it('is documented with both types', async () => {
    const { paths } = await sample.contract();
    const { content } = paths['/v1/devices/{id}']?.['patch']?.requestBody as { content: object };
    expect(Object.keys(content)).toEqual(['application/json', 'application/merge-patch+json']);
  });
});
