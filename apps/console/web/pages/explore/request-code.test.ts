import { codeOf, pathOf } from './request-code.ts';
import type { ExploreRequest } from './explore-requests.ts';

const request: ExploreRequest = {
  source: { kind: 'room', place: "o'hara & co", room: 'living room' },
  fields: ['power'],
  operation: 'aggregates',
  of: 'levels',
  parameters: {
    from: '2026-11-20T00:00:00.000Z',
    timeZone: 'Asia/Tokyo',
    fn: ['avg', 'min'],
    fields: `it's "a,b" $HOME`,
    maxPoints: undefined,
  },
};
const address = { url: 'http://127.0.0.1:4000/api', needsToken: false };

test('a path has its parts encoded', () => {
  expect(pathOf(request)).toBe("/v1/rooms/o'hara%20%26%20co/living%20room/aggregates");
});

test('a shell replaces nothing in the parameters for curl', () => {
  expect(codeOf('curl', request, address).split(' \\\n  ')).toEqual([
    String.raw`curl -G 'http://127.0.0.1:4000/api/query/v1/rooms/o'\''hara%20%26%20co/living%20room/aggregates'`,
    "--data-urlencode 'from=2026-11-20T00:00:00.000Z'",
    "--data-urlencode 'timeZone=Asia/Tokyo'",
    "--data-urlencode 'fn=avg,min'",
    String.raw`--data-urlencode 'fields=it'\''s "a,b" $HOME'`,
  ]);
});

test('TypeScript uses the method of the client for the kind of source', () => {
  const code = codeOf('TypeScript', request, address);
  expect(code).toContain('client.query.getRoomAggregates.items({');
  expect(code).toContain(`  place: "o'hara & co",\n  room: "living room",`);
  expect(code).toContain('  fn: ["avg","min"],');
  expect(code).not.toContain('maxPoints');
  const device: ExploreRequest = { ...request, source: { kind: 'device', id: 'meter' } };
  expect(codeOf('TypeScript', device, address)).toContain('client.query.getAggregates.items({');
});

test('Python has all parameters, and follows the pages', () => {
  const code = codeOf('Python', request, address);
  expect(code).toContain(String.raw`    "fields": "it's \"a,b\" $HOME",`);
  expect(code).toContain('parameters["cursor"] = page["cursor"]');
});

test('a token is read from the environment, where one is needed', () => {
  const withToken = { ...address, needsToken: true };
  expect(codeOf('curl', request, withToken)).toContain('-H "Authorization: Bearer $TOKEN"');
  expect(codeOf('TypeScript', request, withToken)).toContain("token: process.env['TOKEN']");
  expect(codeOf('Python', request, withToken)).toContain('os.environ["TOKEN"]');
  for (const language of ['curl', 'TypeScript', 'Python'] as const) {
    expect(codeOf(language, request, address)).not.toContain('TOKEN');
  }
});
