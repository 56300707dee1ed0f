export type SelectedRow = Record<string, unknown>;

const form =
  /^\$append\(\[\], (?:\$\.(?<list>[\w.]+)|\$keys\((?<keysOf>[\w.]+)\))\.\{(?<body>.*)\}\)$/;
const pairs = /"(?<name>[^"]+)":\s*(?<value>\$(?:string|join)\([^)]*\)|[^,}]+)/g;

/**
 * What a selector of ours picks from an answer. The selectors are JSONata, and these few forms of
 * it are all that they use: `$.list.{"column": a.b, "text": $string(c), "texts": $join(d, " ")}`
 * and `$keys(a.b).{"column": $}`, in `$append([], …)`.
 * @throws Error for any other form
 */
export function selectRows(answer: unknown, selector: string): SelectedRow[] {
  const groups = form.exec(selector)?.groups;
  if (groups === undefined) throw new Error(`not known how to select by ${selector}`);
  const { list, keysOf = '', body = '' } = groups;
  const elements: unknown[] =
    list === undefined ? keysOfAll(valuesAt(answer, keysOf)) : valuesAt(answer, list);
  return elements.map((element) => rowOf(element, body));
}

function rowOf(element: unknown, body: string): SelectedRow {
  const row: SelectedRow = {};
  for (const { groups: pair = {} } of body.matchAll(pairs)) {
    const { name = '', value = '' } = pair;
    const found = valueOf(element, value.trim());
    if (found !== undefined) row[name] = found;
  }
  return row;
}

function valueOf(element: unknown, expression: string): unknown {
  if (expression === '$') return element;
  const joined = /^\$join\((.*), " "\)$/.exec(expression)?.[1];
  if (joined !== undefined) return valuesAt(element, joined).join(' ');
  const text = /^\$string\((.*)\)$/.exec(expression)?.[1];
  const [value] = valuesAt(element, text ?? expression);
  return text === undefined || value === undefined || typeof value === 'string'
    ? value
    : JSON.stringify(value);
}

/** Lists on the way are gone through, as in JSONata. */
function valuesAt(from: unknown, path: string): unknown[] {
  const steps = Array.from(
    path.matchAll(/`([^`]+)`|(\w+)/g),
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  return steps.reduce<unknown[]>(
    (values, step) =>
      values.flatMap((value): unknown[] =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, step)
          ? listOf((value as SelectedRow)[step])
          : [],
      ),
    listOf(from),
  );
}

function keysOfAll(objects: readonly unknown[]): string[] {
  return [...new Set(objects.flatMap((value) => Object.keys(value as object)))];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}
