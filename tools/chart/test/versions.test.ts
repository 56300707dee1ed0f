// Versions of Helm and Kubernetes: each Helm renders the same objects, and each Kubernetes accepts
// them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { furtherHelms, HelmRefusal, lint, render } from '../src/helm.ts';
import type { KubernetesObject } from '../src/helm.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import { modes } from './modes.ts';
import { impossible, valuesOf, wrongValues } from './refusals.ts';

const helms = furtherHelms();

/** Helm's output for a mode; generated secrets are replaced by a constant. */
const renderedBy = (mode: string, helm?: string): KubernetesObject[] => {
  const objects = render({ ...modes[mode], ...(helm !== undefined && { helm }) });
  const texts = objects.map((object) =>
    JSON.stringify(object).replace(/"CURSOR_SECRET":"\w+=*"/, '"CURSOR_SECRET":"random"'),
  );
  return texts.map((text) => JSON.parse(text) as KubernetesObject);
};

if (helms.length === 0) {
  describe.skip('further versions of Helm (left out: HELM_BINARIES names none)', () => {
    it('render the same objects', () => undefined);
  });
} else {
  describeWithHelm('further versions of Helm', () => {
    describe.each(helms)('%s', (helm) => {
      it.each(Object.keys(modes))('renders the same objects of: %s', (mode) => {
        const byName = (objects: KubernetesObject[]) =>
          objects.toSorted((a, b) => sortKey(a).localeCompare(sortKey(b)));
        expect(byName(renderedBy(mode, helm))).toEqual(byName(renderedBy(mode)));
        expect(lint({ ...modes[mode], helm })).toContain('0 chart(s) failed');
      });

      it("rejects the same values with the chart's messages", () => {
        const unlike = impossible.filter((refusal) => {
          const [, says] = refusal;
          return !refusalBy(helm, valuesOf(refusal)).includes(says);
        });
        expect(unlike).toEqual([]);
        const taken = wrongValues.filter((wrong) => refusalBy(helm, valuesOf(wrong)) === '');
        expect(taken).toEqual([]);
      });
    });
  });
}

const sortKey = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;

function refusalBy(helm: string, values: object): string {
  try {
    render({ values, helm });
    return '';
  } catch (error) {
    if (error instanceof HelmRefusal) return error.message;
    throw error;
  }
}

/**
 * `kubernetes-validate` of PyPI, which brings the schemas of the API servers since 1.25; strict, so
 * that it sees unknown fields.
 */
const validator = 'kubernetes-validate';

/** Kinds that Kubernetes itself has. */
const isOwn = ({ apiVersion }: KubernetesObject) =>
  !/\.(coreos\.com|sh|x-k8s\.io)\/|^gateway\./.test(apiVersion);

function refusedBy(version: string | undefined, objects: readonly KubernetesObject[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-objects-'));
  try {
    const file = join(folder, 'objects.yaml');
    writeFileSync(file, objects.map((object) => `---\n${JSON.stringify(object)}\n`).join(''));
    const options = ['--strict', '--quiet', ...(version === undefined ? [] : ['-k', version])];
    const { status, stdout, stderr } = spawnSync(validator, [...options, file], {
      encoding: 'utf8',
    });
    const said = (stdout + stderr).split('\n').filter((line) => line !== '');
    return status === 0 ? [] : said;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describeWithHelm(
  'versions of Kubernetes',
  () => {
    let objects: KubernetesObject[];
    // Not while the tests are listed, since that takes as long where they are skipped.
    beforeAll(() => {
      objects = Object.keys(modes)
        .flatMap((mode) => renderedBy(mode))
        .filter(isOwn);
    });

    it.each([['1.28'], [undefined]])(
      'version %s accepts every object (undefined: the newest)',
      (version) => {
        expect(objects.length).toBeGreaterThan(500);
        expect(refusedBy(version, objects)).toEqual([]);
      },
    );

    it.each([['1.28'], [undefined]])('version %s rejects an unknown field', (version) => {
      const [first] = objects;
      const wrong = {
        ...first,
        spec: { ...(first as { spec?: object } | undefined)?.spec, podSelectors: {} },
      };
      expect(refusedBy(version, [wrong as KubernetesObject])).not.toEqual([]);
    });
  },
  [validator],
);
