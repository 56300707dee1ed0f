// A process of its own, because these models are ES modules, which Jest does not load: takes
// objects on its input, as JSON, and says on its output what each is refused for, as `kind name:
// reason`.
import { text } from 'node:stream/consumers';
import type { KubernetesObject } from '../src/helm.ts';

interface Model {
  validate(): void;
}

async function problemsOf(object: KubernetesObject): Promise<string[]> {
  const { apiVersion, kind, metadata } = object;
  const library = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  try {
    const models = (await import(`${library}/${apiVersion}/${kind}`)) as Record<
      string,
      new (data: KubernetesObject) => Model
    >;
    const Kind = models[kind];
    if (!Kind) throw new Error('there is no such kind');
    new Kind(object).validate();
    return [];
  } catch (error) {
    return [`${kind} ${metadata.name}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

const objects = JSON.parse(await text(process.stdin)) as KubernetesObject[];
const problems = await Promise.all(objects.map(problemsOf));
process.stdout.write(JSON.stringify(problems.flat()));
