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
  /** Folder for temporary files. */
  work: string;
  /** Time of all files in the package, in seconds since 1970. */
  time: number;
}

/**
 * Packages the chart for `helm push`. Equal commits and Helm versions produce equal bytes.
 * @returns name of the file
 * @throws OperatorError when Helm rejects the chart, or when the packaged chart would run another
 * image
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
