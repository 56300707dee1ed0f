import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFolder } from '../src/chart-folder.ts';
import { renderText } from '../src/helm.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import { everything } from './values.ts';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  maximum?: number;
}

const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as Schema;
/** Helm reads numbers as floating point, and a template without `int64` writes those from a million on as `1e+06`. */
const large = 12_345_678;

/** The paths of all numbers that may be a million or more. */
function largeNumbers({ type, properties = {}, maximum = Infinity }: Schema, path = ''): string[] {
  const isNumber = [type].flat().some((one) => one === 'integer' || one === 'number');
  if (isNumber) return maximum >= large ? [path] : [];
  return Object.entries(properties).flatMap(([name, below]) =>
    largeNumbers(below, path === '' ? name : `${path}.${name}`),
  );
}

function withNumber(values: object, [name = '', ...rest]: string[]): object {
  const below = (values as Record<string, object>)[name] ?? {};
  return { ...values, [name]: rest.length === 0 ? large : withNumber(below, rest) };
}

/** Numbers that other values bound, or that exclude others. */
const bounded =
  /\.(minReplicas|minAvailable|httpReplicas|drainSeconds|availability|percent)$|\.settings\.(?!\w+_(MS|BYTES|LIMIT|SECOND|MINUTE)$)/;

describeWithHelm('large numbers', () => {
  it('are written with all digits', () => {
    const paths = largeNumbers(schema).filter((path) => !bounded.test(path));
    const set = (values: object, path: string) => withNumber(values, path.split('.'));
    const text = renderText({ values: paths.reduce(set, everything) });
    expect(paths).toContain('table.ttlSecondsAfterFinished');
    expect(text).toContain(String(large));
    expect(text.match(/^.*\d(\.\d+)?e\+\d+.*$/gm)).toBeNull();
  });
});
