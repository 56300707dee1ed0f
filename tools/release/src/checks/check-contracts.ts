import type { Finding } from '../finding.ts';
import { lineAt } from '../repository.ts';
import type { Repository } from '../repository.ts';

/** No service gives its OpenAPI document a version of its own: all take the one of @engawa/service. */
export function checkContracts(repository: Repository): Finding[] {
  return repository.files('apps/*/src/app.ts').flatMap((file) => {
    const text = repository.read(file);
    const literal = /\bversion:\s*(['"`].*?['"`])/.exec(text);
    if (literal === null) return [];
    return [
      {
        where: `${file}:${lineAt(text, literal.index)}`,
        problem: `the OpenAPI document has a version of its own, ${literal[1] ?? ''}`,
        remedy: "give it `version` of '@engawa/service'",
      },
    ];
  });
}
