import { z } from 'zod';
import { openBeforeAll } from '@engawa/testing';
import { expectResponse } from '../src/openapi/expect-response.ts';
import { openApiDocument } from '../src/openapi/openapi-document.ts';
import { route } from '../src/route/route.ts';
import { startSample } from './sample-app.ts';

const info = { title: 'Sample', description: 'For the tests', version: '1.2.3' };

describe('the OpenAPI document of a running app', () => {
  const sample = openBeforeAll(startSample);

  it('contains every route with all of its responses', async () => {
    const { openapi, info: given, paths } = await sample.contract();
    expect(openapi).toMatch(/^3\.1\./);
    expect(given).toEqual({
      ...info,
      title: 'Sample <service>',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    });
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method} ${path}`,
        operation.operationId,
        Object.keys(operation.responses).join(),
      ]),
    );
    expect(operations).toEqual([
      ['get /v1/devices/{id}', 'getDevice', '200,400,404,405,406,429,431,500,503'],
      ['patch /v1/devices/{id}', 'renameDevice', '200,204,400,405,408,412,413,415,429,431,500,503'],
      ['get /v1/devices', 'listDevices', '200,400,405,406,429,431,500,503'],
      ['get /v1/wait', 'wait', '200,400,405,406,429,431,500,503'],
      ['get /v1/latest', 'latest', '200,400,405,406,429,431,500,503'],
      ['get /problems/{code}', 'getProblem', '200,400,404,405,406,429,431,500,503'],
    ]);
  });

  it('describes parameters, bodies and problems', async () => {
    const { paths, components } = await sample.contract();
    expect(paths['/v1/devices/{id}']?.['patch']).toMatchObject({
      parameters: [{ name: 'id', in: 'path', required: true, schema: { maxLength: 100 } }],
      requestBody: { required: true, content: { 'application/json': { schema: {} } } },
    });
    expect(paths['/v1/devices']?.['get']?.parameters[0]).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: expect.stringContaining('Maximum') as unknown,
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    });
    expect(paths['/v1/latest']?.['get']?.parameters[0]).toEqual({
      name: 'device',
      in: 'query',
      required: true,
      description: 'Up to three.',
      style: 'form',
      explode: true,
      schema: {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        items: { type: 'string', minLength: 1 },
      },
    });
    expect(paths['/v1/devices/{id}']?.['get']?.responses['404']).toEqual({
      description: '`device-not-found`: Device not found',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    });
    expect(Object.keys(components.schemas).toSorted()).toEqual(['Device', 'Problem']);
  });

  it('is the reference for checked responses', async () => {
    const contract = await sample.contract();
    const answer = (path: string) => fetch(sample.url + path);
    const check = async (path: string) => expectResponse(contract, await answer(path));
    expect(await check('/v1/devices/a%2Fb')).toMatchObject({ id: 'a/b' });
    expect(await check('/v1/devices?x=1')).toMatchObject({ status: 400 });
    await expect(check('/nowhere')).rejects.toThrow(
      'get /nowhere 404 is not in the OpenAPI document',
    );

    const differing = structuredClone(contract);
    delete (differing.components.schemas['Device']?.['properties'] as { id?: unknown }).id;
    await expect(expectResponse(differing, await answer('/v1/devices/a'))).rejects.toThrow('"id"');
  });

  it('has a page with files of this service only, and a content security policy that allows them', async () => {
    const page = await fetch(`${sample.url}/docs`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    const html = await page.text();
    expect(html).toContain('<title>Sample &lt;service></title>');
    expect(html).not.toMatch(/<script(?![^>]*src=)|\son\w+=|https?:/);
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => String(file));
    expect(files).toHaveLength(4);
    for (const file of files) {
      const asset = await fetch(new URL(file, page.url));
      const type = file.endsWith('.js')
        ? 'text/javascript'
        : file.endsWith('.css')
          ? 'text/css'
          : 'image/png';
      expect([asset.status, asset.headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
      expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(50);
    }
  });
});

describe('a contradictory API description', () => {
  const guards = { maxRequestsPerMinute: 0, tokens: undefined };
  const sample = (path: string, schema: z.ZodType) =>
    route({
      method: 'get',
      path,
      operationId: 'sample',
      summary: 'Sample',
      responses: { 200: { description: 'A sample', schema } },
      handle: () => ({ status: 200, body: {} }),
    });
  const named = (schema: z.ZodType) => z.array(schema.meta({ id: 'Thing' }));
  const unnamed = z.strictObject({
    get children() {
      return z.array(unnamed);
    },
  });

  it.each([
    ['declared twice', [sample('/a', z.string()), sample('/a', z.string())]],
    ['the path parameters of /a/{id}', [sample('/a/{id}', z.string())]],
    ['the id Thing', [sample('/a', named(z.string())), sample('/b', named(z.number()))]],
    ['recursive schema', [sample('/a', unnamed)]],
    ['recursive schema', [sample('/a', z.array(unnamed))]],
  ])('is refused: %s', (message, routes) => {
    expect(() => openApiDocument({ ...info, routes, guards })).toThrow(message);
  });
});
