import { parse } from 'yaml';
import { describeWithHelm } from './describe-with-helm.ts';
import { Rendered } from './rendered.ts';
import { everything, least } from './values.ts';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';

const tank = {
  mapping: 'tank',
  messages: [
    {
      topic: 'tank/{id}',
      device: '{id}',
      fields: [{ from: 'l', scale: 0.000001, none: [-327.68, 'nan'], values: { ON: true } }],
    },
  ],
};

function filesOf(rendered: Rendered): Record<string, string> {
  const volumes = rendered.pod('ingestion').spec.volumes ?? [];
  const volume = volumes.find(({ name }) => name === 'mappings');
  return rendered.named<IConfigMap>('ConfigMap', volume?.configMap?.name)?.data ?? {};
}

const withMappings = (mappings: object) =>
  Rendered.of({ values: { ...least, ingestion: { mappings } } });

describeWithHelm('the mappings', () => {
  it('are files in the folder that ingestion reads', () => {
    const text = JSON.stringify({ mapping: 'b', messages: [] });
    const rendered = withMappings({ 'tank.yaml': tank, 'b.json': text });
    const files = filesOf(rendered);
    expect(parse(files['tank.yaml'] ?? '')).toEqual(tank);
    expect(files['b.json']).toBe(text);
    const folder = rendered.environment('ingestion').get('MAPPINGS_DIR')?.value;
    const pods = rendered.pods.filter(({ component }) => component === 'ingestion');
    expect(pods.length).toBeGreaterThan(1);
    for (const { containers } of pods) {
      const mounts = containers.flatMap(({ volumeMounts = [] }) => volumeMounts);
      expect(mounts).toContainEqual({ name: 'mappings', mountPath: folder, readOnly: true });
    }
  });

  it('restart pods when they change', () => {
    const [one, same, other] = [tank, tank, { ...tank, mapping: 'other' }].map(
      (document) =>
        withMappings({ 'tank.yaml': document }).pod('ingestion').annotations['checksum/mappings'],
    );
    expect(one).toBe(same);
    expect(one).not.toBe(other);
  });

  it('are mounted beside the certificates of the broker', () => {
    const mounts = Rendered.of({ values: everything }).container('ingestion').volumeMounts ?? [];
    expect(mounts.map(({ name }) => name)).toEqual(expect.arrayContaining(['mqtt', 'mappings']));
  });

  it('are absent by default', () => {
    const rendered = Rendered.of({ values: least });
    expect(filesOf(rendered)).toEqual({});
    expect(rendered.environment('ingestion').has('MAPPINGS_DIR')).toBe(false);
    expect(rendered.pod('ingestion').annotations).not.toHaveProperty('checksum/mappings');
  });

  it('have names of files that a ConfigMap can have', () => {
    expect(() => withMappings({ 'a/b.yaml': tank })).toThrow(/mappings/);
    expect(() => withMappings({ tank })).toThrow(/mappings/);
  });
});
