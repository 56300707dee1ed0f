import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { chartFolder } from '../src/chart-folder.ts';
import { render } from '../src/helm.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import { least } from './values.ts';
import { Rendered } from './rendered.ts';

const chartYaml = readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8');
const { version, appVersion } = parse(chartYaml) as { version: string; appVersion: string };

/** A chart with ours as a dependency, as users write it. */
function makeParent(values: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-parent-'));
  const dependency = { name: 'engawa', version, condition: 'engawa.enabled' };
  const chart = { apiVersion: 'v2', name: 'home', version: '1.0.0', dependencies: [dependency] };
  writeFileSync(join(folder, 'Chart.yaml'), stringify(chart));
  writeFileSync(join(folder, 'values.yaml'), stringify(values, { version: '1.1' }));
  mkdirSync(join(folder, 'charts'));
  cpSync(chartFolder, join(folder, 'charts/engawa'), { recursive: true });
  return folder;
}

function withParent(values: object, use: (chart: string) => void): void {
  const folder = makeParent(values);
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const values = {
  global: {
    imageRegistry: 'mirror.example',
    imagePullSecrets: [{ name: 'mirror' }],
    ofOthers: { a: 1 },
  },
  engawa: { ...least, enabled: true, image: { registry: 'registry.example' } },
};

describeWithHelm('as a subchart', () => {
  it('is rendered with the values and global values of the parent', () => {
    withParent(values, (chart) => {
      const rendered = new Rendered(render({ name: 'house', chart }));
      expect(rendered.pod('query').owner.metadata.name).toBe('house-engawa-query');
      const images = rendered.pods.flatMap(({ containers }) =>
        containers.map(({ image }) => image),
      );
      expect(new Set(images)).toEqual(new Set([`mirror.example/engawa:${appVersion}`]));
      const secrets = rendered.pods.map(({ spec }) => spec.imagePullSecrets);
      expect(secrets).toEqual(rendered.pods.map(() => [{ name: 'mirror' }]));
    });
  });

  it('is left out when the parent disables it', () => {
    withParent(values, (chart) => {
      expect(render({ chart, values: { engawa: { enabled: false } } })).toEqual([]);
    });
  });

  it('omits user ids when the parent has empty strings for them', () => {
    const podSecurityContext = { runAsUser: '', runAsGroup: '', fsGroup: '' };
    const engawa = { ...values.engawa, defaults: { podSecurityContext } };
    withParent({ ...values, engawa }, (chart) => {
      const { pods } = new Rendered(render({ chart }));
      const contexts = pods.map(({ spec }) => Object.keys(spec.securityContext ?? {}).sort());
      expect(contexts).toEqual(pods.map(() => ['runAsNonRoot', 'seccompProfile']));
    });
  });
});

describeWithHelm('images', () => {
  const imagesOf = (more: object) =>
    new Set(
      Rendered.of({ values: more }).pods.flatMap(({ containers }) =>
        containers.map(({ image }) => image),
      ),
    );
  const digest = `sha256:${'a'.repeat(64)}`;

  it.each([
    [{ registry: '' }, `engawa:${appVersion}`],
    [{ registry: 'registry.example:5000/home', tag: '2' }, 'registry.example:5000/home/engawa:2'],
    [{ registry: 'registry.example', digest }, `registry.example/engawa@${digest}`],
  ])('of %j are %s', (image, expected) => {
    expect(imagesOf({ ...least, image })).toEqual(new Set([expected]));
  });

  it('of the demo are pulled from the global registry, too', () => {
    const global = { imageRegistry: 'mirror.example' };
    const images = [...imagesOf({ demo: { enabled: true }, global })];
    expect(images.length).toBe(3);
    expect(images.filter((image) => image?.startsWith('mirror.example/') !== true)).toEqual([]);
  });
});

describeWithHelm('extraObjects', () => {
  const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

  it('are rendered from maps and from text, with evaluated templates', () => {
    const text = [
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata:',
      '  name: {{ include "engawa.fullname" . }}-text',
      'data: {{ dict "table" .Values.table.name | toJson }}',
    ].join('\n');
    const extraObjects = [map('{{ .Release.Name }}-map'), text];
    const rendered = Rendered.of({ name: 'house', values: { ...least, extraObjects } });
    expect(rendered.objects).toContainEqual(map('house-map'));
    expect(rendered.objects).toContainEqual({
      ...map('house-engawa-text'),
      data: { table: 'readings' },
    });
  });
});
