import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { helmCommand, renderText } from '@engawa/chart/helm';
import { OperatorError } from '@engawa/errors';
import type { Repository } from '../repository.ts';
import { setTimes } from './archive.ts';
import { chartMetadata, chartValues } from './chart-metadata.ts';
import type { ChartMetadataOptions } from './chart-metadata.ts';
import { run } from './run.ts';

export interface PackageChartOptions extends ChartMetadataOptions {
  /** Folder of the package. */
  target: string;
  /** Folder for what is needed on the way. */
  work: string;
  /** Seconds since 1970, of all files in it. */
  time: number;
}

/**
 * Packs the chart as `helm push` takes it. The same commit gives the same bytes, with the same Helm.
 * @returns name of the file
 * @throws OperatorError where Helm refuses it, or where the packed chart would run another image
 */
export async function packageChart(
  repository: Repository,
  options: PackageChartOptions,
): Promise<string> {
  const { target, work, time, image } = options;
  const folder = join(work, 'engawa');
  cpSync(join(repository.folder, 'charts/engawa'), folder, { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), chartMetadata(repository, options));
  writeFileSync(join(folder, 'values.yaml'), chartValues(repository, image));
  await run(helmCommand(), ['package', folder, '--destination', target]);
  const name = `engawa-${repository.version}.tgz`;
  const file = join(target, name);
  setTimes(file, time);
  const reference = `${image}:${repository.version}`;
  const values = { demo: { enabled: true }, cursors: { existingSecret: 'cursors' } };
  if (!renderText({ chart: file, values }).includes(reference)) {
    throw new OperatorError(`the packed chart does not run ${reference}; see image in its values`);
  }
  return name;
}
