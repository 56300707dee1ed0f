import { describeWithHelm } from './describe-with-helm.ts';
import { Rendered } from './rendered.ts';
import { least } from './values.ts';

describeWithHelm('the volume of the full-text index', () => {
  it.each([
    [undefined, 512, '1088Mi'],
    [100, 100, '264Mi'],
    [1_048_576, 1_048_576, '2097216Mi'],
  ])('with maxMebibytes %j has room for two indexes', (maxMebibytes, mebibytes, sizeLimit) => {
    const values = { ...least, ...(maxMebibytes && { catalog: { fullText: { maxMebibytes } } }) };
    const rendered = Rendered.of({ values });
    const environment = rendered.environment('catalog');
    const { spec } = rendered.pod('catalog');
    const volume = spec.volumes?.find(({ name }) => name === 'full-text');
    expect(volume?.emptyDir).toEqual({ sizeLimit });
    expect(environment.get('FULL_TEXT_MAX_BYTES')?.value).toBe(String(mebibytes * 1024 * 1024));
    const container = spec.containers.find(({ name }) => name === 'catalog');
    expect(container?.securityContext?.readOnlyRootFilesystem).toBe(true);
    const mounts = container?.volumeMounts ?? [];
    expect(mounts.filter(({ name }) => name === 'full-text')).toEqual([
      { name: 'full-text', mountPath: environment.get('FULL_TEXT_FOLDER')?.value },
    ]);
  });

  it('is mounted in no other pod', () => {
    const rendered = Rendered.of({ values: least });
    for (const service of ['ingestion', 'registry', 'query'] as const) {
      expect(rendered.pod(service).spec.volumes ?? []).toEqual([]);
    }
  });
});
