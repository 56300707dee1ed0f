import { mappingSchema, shippedMappings } from '@engawa/ingestion/mappings';
import type { FieldRule, MappingDocument, MessageRule } from '@engawa/ingestion/mappings';

const intro = `# Mappings of brands

Generated from \`apps/ingestion/mappings\` by \`npm run reference\`; a test fails if they differ.

\`DECODERS\` selects a mapping by its name, like a [decoder](../decoders.md): \`DECODERS=native,esphome\`. Mappings are not
selected by default. On a topic of several decoders, the first in \`DECODERS\` whose required values the payload has
reads the message. \`npm run mapping -- try NAME --topic TOPIC --payload TEXT\` shows what a message becomes.
`;

/** A section for each brand: what to set, what arrives, fields and units. */
export function mappingsPage(): string {
  return [intro, ...shippedMappings.map(section)].join('\n');
}

/** For completion in editors. */
export function mappingSchemaFile(): string {
  return `${JSON.stringify(mappingSchema(), undefined, 2)}\n`;
}

function section(mapping: MappingDocument): string {
  const { mapping: name, description = '', source = [], messages, examples } = mapping;
  const sources = source.map((url) => `<${url}>`).join(', ');
  return [
    `## ${name}\n`,
    `${wrapped(description)}\n`,
    `Source: ${sources}\n`,
    ...table(['topic', 'device', 'time', 'fields'], messages.map(rowOf)),
    '',
    ...table(
      ['topic of an example', 'payload', 'readings'],
      examples.map(({ topic, payload, readings }) => [
        code(topic),
        payload === '' ? '(empty)' : code(payload),
        readings
          .map(({ device, fields }) => code(`${device} ${JSON.stringify(fields)}`))
          .join('<br>') || 'none',
      ]),
    ),
    '',
  ].join('\n');
}

/** Lines of at most 120 columns. */
function wrapped(text: string): string {
  return text.replace(/(.{1,120})(?: |$)/g, '$1\n').trimEnd();
}

function rowOf({ topic, ignore, device = '', time, fields, others }: MessageRule): string[] {
  if (ignore === true) return [code(topic), '–', '–', 'no reading'];
  const named = fields.map(fieldText);
  const rest = others === 'keep' ? ['all others under their names'] : [];
  return [
    code(topic),
    code(device),
    time === undefined ? 'of receipt' : code(time.from),
    [...named, ...rest].join(', '),
  ];
}

function fieldText({ from, name, unit, scale }: FieldRule): string {
  const target = name ?? from.split('.').at(-1) ?? from;
  const origin = from === '$' || name === undefined ? '' : ` from ${code(from)}`;
  const factor = scale === undefined ? '' : ` × ${scale}`;
  return `${code(target)}${origin}${factor}${unit === undefined ? '' : ` (${unit})`}`;
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)];
}

/** In a table a vertical bar ends the cell. */
function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
