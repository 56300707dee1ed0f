import type { ExploreRequest } from './explore-requests.ts';
import type { Source } from './explore-state.ts';

/** Where the services are, and whether they need a token. */
export interface ServiceAddress {
  /** The console's paths of the services: the query service is at `/query` below. */
  url: string;
  needsToken: boolean;
}

export const codeLanguages = ['curl', 'TypeScript', 'Python'] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

/** The path of a request at the query service, such as `/v1/devices/meter/aggregates`. */
export function pathOf({
  source,
  operation,
}: Pick<ExploreRequest, 'source' | 'operation'>): string {
  return `${subjectPath(source)}/${operation}`;
}

function subjectPath(source: Source): string {
  if (source.kind === 'room') {
    return `/v1/rooms/${encodeURIComponent(source.place)}/${encodeURIComponent(source.room)}`;
  }
  return `/v1/${source.kind}s/${encodeURIComponent(source.id)}`;
}

/** The query parameters, in the order of the request; lists are separated by commas. */
export function parametersOf({ parameters }: ExploreRequest): [string, string][] {
  const values: Readonly<Record<string, string | number | readonly string[] | undefined>> = {
    ...parameters,
  };
  return Object.entries(values).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

export function codeOf(
  language: CodeLanguage,
  request: ExploreRequest,
  address: ServiceAddress,
): string {
  return { curl: curlCode, TypeScript: typeScriptCode, Python: pythonCode }[language](
    request,
    address,
  );
}

function curlCode(request: ExploreRequest, { url, needsToken }: ServiceAddress): string {
  const lines = [
    `curl -G ${shellText(`${url}/query${pathOf(request)}`)}`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...parametersOf(request).map(
      ([name, value]) => `--data-urlencode ${shellText(`${name}=${value}`)}`,
    ),
  ];
  return lines.join(' \\\n  ');
}

/** In single quotes a shell replaces nothing. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function typeScriptCode(request: ExploreRequest, { url, needsToken }: ServiceAddress): string {
  const { source, operation, parameters } = request;
  const subject = { device: '', room: 'Room', place: 'Place' }[source.kind];
  const method = `get${subject}${operation === 'readings' ? 'Readings' : 'Aggregates'}`;
  const ids =
    source.kind === 'room' ? { place: source.place, room: source.room } : { id: source.id };
  const input = Object.entries({ ...ids, ...parameters }).filter(
    ([, value]) => value !== undefined,
  );
  return [
    "import { createClient } from '@engawa/client';",
    '',
    `const services = ${JSON.stringify(url)};`,
    'const client = createClient({',
    '  url: {',
    ...['ingestion', 'registry', 'query', 'catalog'].map(
      (name) => `    ${name}: \`\${services}/${name}\`,`,
    ),
    '  },',
    ...(needsToken ? ["  token: process.env['TOKEN'],"] : []),
    '});',
    `const items = client.query.${method}.items({`,
    ...input.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`),
    '});',
    'for await (const item of items) console.log(item);',
  ].join('\n');
}

function pythonCode(request: ExploreRequest, { url, needsToken }: ServiceAddress): string {
  const token = needsToken
    ? ['headers = {"Authorization": "Bearer " + os.environ["TOKEN"]}']
    : ['headers = {}'];
  return [
    ...(needsToken ? ['import os', ''] : []),
    'import requests',
    '',
    `url = ${JSON.stringify(`${url}/query${pathOf(request)}`)}`,
    ...token,
    'parameters = {',
    ...parametersOf(request).map(
      ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
    ),
    '}',
    'while True:',
    '    response = requests.get(url, params=parameters, headers=headers)',
    '    response.raise_for_status()',
    '    page = response.json()',
    '    for item in page["items"]:',
    '        print(item)',
    '    if "cursor" not in page:',
    '        break',
    '    parameters["cursor"] = page["cursor"]',
  ].join('\n');
}
