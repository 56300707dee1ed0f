import { maxSearches } from './type-schemas.ts';
import type { FieldError } from '@engawa/errors';
import type { TypeBody } from './type-schemas.ts';

export function nameErrors({ attributes, relations, searches, rankings }: TypeBody): FieldError[] {
  const fieldNames = [...named('attributes', attributes), ...named('relations', relations)];
  const queryNames = [...named('searches', searches), ...named('rankings', rankings)];
  const count = queryNames.length;
  return [
    ...repeated(fieldNames, 'must be unique among attributes and relations'),
    ...fieldNames
      // A property of that name sets the prototype of JavaScript objects, also in clients that parse the JSON.
      .filter(({ name }) => name === '__proto__')
      .map(({ path }) => ({ path, message: 'must not be "__proto__"' })),
    ...repeated(queryNames, 'must be unique among searches and rankings'),
    ...(count > maxSearches
      ? [
          {
            path: 'body.searches',
            message: `must be at most ${maxSearches} together with the rankings, not ${count}`,
          },
        ]
      : []),
  ];
}

interface NamePath {
  name: string;
  path: string;
}

function named(list: string, definitions: readonly { name: string }[]): NamePath[] {
  return definitions.map(({ name }, index) => ({ name, path: `body.${list}[${index}].name` }));
}

export function repeated(names: readonly NamePath[], message: string): FieldError[] {
  const seen = new Set<string>();
  return names.flatMap(({ name, path }) => {
    if (seen.has(name)) return [{ path, message }];
    seen.add(name);
    return [];
  });
}
