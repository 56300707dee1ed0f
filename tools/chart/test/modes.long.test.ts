import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { lint, parseObjects, renderText } from '../src/helm.ts';
import type { KubernetesObject } from '../src/helm.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import { refusedBySchema, refusedByType } from './check-objects.ts';
import { environmentProblems } from './checks/environment.ts';
import { nameProblems } from './checks/names.ts';
import { podSecurityProblems } from './checks/pod-security.ts';
import { referenceProblems } from './checks/references.ts';
import { runningProblems } from './checks/running.ts';
import { secretProblems } from './checks/secrets.ts';
import { selectorProblems } from './checks/selectors.ts';
import { givenSecrets } from './given-secrets.ts';
import { modes } from './modes.ts';
import { everything, least } from './values.ts';
import { Rendered, servers } from './rendered.ts';

const withoutRepeats = (objects: readonly KubernetesObject[]): KubernetesObject[] =>
  [...new Set(objects.map((object) => JSON.stringify(object)))].map(
    (text) => JSON.parse(text) as KubernetesObject,
  );

/** Prefix of the names of a release's objects. */
const fullName = (rendered: Rendered): string =>
  rendered.pod('test').owner.metadata.name.replace(/-test$/, '');

const played = Object.entries(modes);

describeWithHelm('the objects of', () => {
  const texts = played.map(([, release]) => renderText(release));
  const parsed = texts.map((text) => parseObjects(text));
  const objects = withoutRepeats(parsed.flat());
  const rows = played.map(([name, release], index) => ({
    name,
    release,
    rendered: new Rendered(parsed[index] ?? [], release),
  }));

  describe.each(rows)('$name', ({ release, rendered }) => {
    it('is clean for helm lint --strict', () => {
      expect(lint(release)).toContain('1 chart(s) linted, 0 chart(s) failed');
    });

    it('has valid names and labels', () => {
      expect(nameProblems(rendered)).toEqual([]);
    });

    it('selects its own pods only', () => {
      expect(selectorProblems(rendered)).toEqual([]);
    });

    it('refers to existing objects', () => {
      expect(referenceProblems(rendered, givenSecrets(release.values))).toEqual([]);
    });

    it('gives each component valid settings', () => {
      expect(environmentProblems(rendered, ['TZ'])).toEqual([]);
    });

    it('contains no secret in plain text', () => {
      expect(secretProblems(rendered)).toEqual([]);
    });

    it('keeps the restricted Pod Security Standard', () => {
      expect(podSecurityProblems(rendered)).toEqual([]);
    });

    it('sets each variable once, and leaves time to close', () => {
      expect(runningProblems(rendered)).toEqual([]);
    });
  });

  describe('with these values', () => {
    it('is valid by the schemas of its kinds', () => {
      expect(objects.length).toBeGreaterThan(300);
      expect(refusedBySchema(objects)).toEqual([]);
    });

    it('has no field that is unknown to its types', () => {
      expect(refusedByType(objects)).toEqual([]);
    });

    it.each(servers)('replaces the pods of %s only when their settings change', (service) => {
      const told = rows.flatMap(({ rendered }) => {
        if (!rendered.has(service)) return [];
        const settings = rendered.named<IConfigMap>(
          'ConfigMap',
          `${fullName(rendered)}-${service}`,
        );
        const checksum = rendered.pod(service).annotations['checksum/settings'];
        return [{ settings: JSON.stringify(settings?.data), checksum }];
      });
      const distinct = (values: unknown[]) => new Set(values).size;
      const pairs = told.map(({ settings, checksum }) => `${settings} ${checksum ?? ''}`);
      expect(distinct(told.map(({ settings }) => settings))).toBeGreaterThan(5);
      expect(distinct(told.map(({ checksum }) => checksum))).toBe(distinct(pairs));
      expect(distinct(told.map(({ settings }) => settings))).toBe(distinct(pairs));
    });

    it('is parsed equally by every YAML parser', () => {
      const asNew = withoutRepeats(texts.flatMap((text) => parseObjects(text, '1.2')));
      expect(asNew).toEqual(objects);
    });
  });
});

describeWithHelm('two releases in one namespace', () => {
  it.each([
    ['on AWS', least],
    ['with everything', everything],
    ['in demos', { demo: { enabled: true }, rollup: { enabled: true } }],
  ])('share no name and select no pod of each other: %s', (_, values) => {
    const [first, second] = ['engawa', 'engawa-query'].map((name) => Rendered.of({ name, values }));
    if (!first || !second) throw new Error('unreachable');
    expect(nameProblems(new Rendered([...first.objects, ...second.objects]))).toEqual([]);
    expect(selectorProblems(first, second)).toEqual([]);
    expect(selectorProblems(second, first)).toEqual([]);
  });
});
