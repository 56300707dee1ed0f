// Tests that the checks of modes.long.test.ts find errors: each is given a chart with one defect.
import type { KubernetesObject } from '../src/helm.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import { refusedBySchema, refusedByType } from './check-objects.ts';
import { faults } from './checks/faults.ts';
import type { Path } from './checks/faults.ts';
import { everything } from './values.ts';
import { Rendered } from './rendered.ts';

describeWithHelm('the checks of objects', () => {
  // Without a cluster only a demo has a Secret of the chart's own.
  const secrets = Rendered.of({ values: { demo: { enabled: true } } }).ofKind('Secret');
  const whole = [...Rendered.of({ values: everything }).objects, ...secrets];

  describe.each(faults)('of %s', (_, check, cases) => {
    it('accept a valid object', () => expect(check(new Rendered(whole))).toEqual([]));

    it.each(cases)('report an invalid %s: %j is %j', (object, path, value, problem) => {
      const problems = check(new Rendered(changed(whole, object, path, value)));
      expect(problems).toContainEqual(expect.stringContaining(problem));
    });
  });
});

/** A copy of objects with a changed field. */
function changed(
  objects: readonly KubernetesObject[],
  object: string,
  path: Path,
  value: unknown,
): KubernetesObject[] {
  const copy = structuredClone([...objects]);
  const [kind, name] = object.split(' ');
  const found = copy.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`there is no ${object}`);
  const inside = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>(
      (place, key) => place[key] as Record<string, unknown>,
      found as never,
    );
  inside[path.at(-1) ?? ''] = value;
  return copy;
}

const service = (port: object, more: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a' },
  ...{ spec: { ports: [port], ...more } },
});

describe('the checks of kinds', () => {
  it('report a wrong type, a missing field and an unknown kind', () => {
    const wrong = [
      service({ port: '8080' }),
      service({ name: 'http' }),
      { ...service({ port: 1 }), kind: 'Sevice' },
      { ...service({ port: 1 }), apiVersion: 'v2' },
    ];
    expect(refusedBySchema(wrong)).toHaveLength(4);
    expect(refusedBySchema([service({ port: 8080 })])).toEqual([]);
  });

  it('report unknown fields at any depth', () => {
    const wrong = [
      service({ port: 8080, targetport: 'http' }),
      service({ port: 8080 }, { selectors: {} }),
    ];
    expect(refusedByType(wrong)).toEqual([
      expect.stringContaining('targetport'),
      expect.stringContaining('selectors'),
    ]);
    expect(refusedByType([service({ port: 8080 })])).toEqual([]);
  });
});
