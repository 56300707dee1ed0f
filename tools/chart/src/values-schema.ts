import * as catalog from '@engawa/catalog';
import * as console from '@engawa/console';
import * as ingestion from '@engawa/ingestion';
import * as query from '@engawa/query';
import * as registry from '@engawa/registry';
import { isMap, isScalar, isSeq, parse, parseDocument } from 'yaml';
import { commentLines } from './documented-values.ts';
import { settingSchemas } from './setting-schema.ts';
import { valuesWithSettings } from './structured-settings.ts';
import type { z } from 'zod';
import type { Schema } from './setting-schema.ts';

/** The services that share `defaults.settings`; the console knows only some of these settings. */
const services = { ingestion, registry, query, catalog };

type Properties = Record<string, Schema>;

/**
 * A `# @schema` comment: keywords of JSON Schema (draft 7) for the value below it. `type`, `enum`
 * and `properties` replace what follows from the default value; other keywords are added to it.
 */
interface Annotation extends Schema {
  /** Of a map: its values override `defaults`; a `service` takes all of them, a `task` those for all workloads. */
  overrides?: 'service' | 'task';
  /** Of a value in `defaults`: tasks take it, too. */
  allWorkloads?: boolean;
  /** Null removes the value. */
  nullable?: boolean;
}

/** For `# @schema { $ref: '#/definitions/…' }`. */
const definitions: Properties = {
  httpUrl: { type: 'string', pattern: '^(https?://[^@]+)?$' },
  /** RFC 1123 subdomain, or nothing. */
  secretName: { type: 'string', pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$' },
  /** A key in a Secret; it becomes the name of a file. */
  secretKey: {
    type: 'string',
    pattern: '^[-._A-Za-z0-9]*[-_A-Za-z0-9][-._A-Za-z0-9]*$',
    maxLength: 253,
  },
};

interface SchemaEntry {
  name: string;
  node: unknown;
  annotation: Annotation;
}

/** values.schema.json: the default values of values.yaml and its `# @schema` comments say what is allowed. */
export function valuesSchema(valuesText: string): Schema {
  const { contents } = parseDocument(valuesText, { merge: false });
  const entries = entriesOf(contents);
  const properties = propertiesOf(entries);
  const defaultEntries = entriesOf(entries.find(({ name }) => name === 'defaults')?.node);
  const all = propertiesOf(defaultEntries);
  const tasks = defaultEntries.filter(({ annotation }) => annotation.allWorkloads === true);
  const ofTasks = Object.fromEntries(tasks.map(({ name }) => [name, all[name] ?? {}]));
  for (const { name, annotation } of entries) {
    const { overrides } = annotation;
    if (overrides === undefined) continue;
    const own = properties[name]?.['properties'] as Properties;
    properties[name] = objectOf({
      ...own,
      ...overridden(overrides === 'task' ? ofTasks : all, own),
    });
  }
  for (const [name, settings] of Object.entries(settingProperties())) {
    (properties[name]?.['properties'] as Properties)['settings'] = objectOf(settings);
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart engawa',
    ...objectOf(properties),
    definitions,
  };
}

function entriesOf(map: unknown): SchemaEntry[] {
  if (!isMap(map)) throw new Error('not a map of values');
  return map.items.map((pair, index) => {
    const comment = commentLines(pair, index === 0 ? map : undefined);
    return {
      name: String(isScalar(pair.key) ? pair.key.value : pair.key),
      node: pair.value,
      annotation: annotationIn(comment),
    };
  });
}

/** An `@schema` comment may have several lines, up to the `--` comment. */
function annotationIn(comment: readonly string[]): Annotation {
  const start = comment.findLastIndex((line) => line.startsWith('@schema '));
  if (start === -1) return {};
  const end = comment.findIndex((line, index) => index > start && line.startsWith('-- '));
  const lines = comment.slice(start, end === -1 ? undefined : end);
  return parse(lines.join(' ').slice('@schema '.length)) as Annotation;
}

function propertiesOf(entries: readonly SchemaEntry[]): Properties {
  return Object.fromEntries(entries.map((entry) => [entry.name, schemaOf(entry)]));
}

function schemaOf({ node, annotation }: SchemaEntry): Schema {
  const { nullable, ...keywords } = annotation;
  delete keywords.overrides;
  delete keywords.allWorkloads;
  const isComplete = ['$ref', 'type', 'enum', 'properties'].some((name) => name in keywords);
  const schema: Schema = isComplete ? keywords : { ...inferred(node), ...keywords };
  return nullable === true ? { ...schema, type: [schema['type'] as string, 'null'] } : schema;
}

function inferred(node: unknown): Schema {
  if (isMap(node)) {
    const isFree = node.items.length === 0;
    return isFree ? mapOf({ type: 'string' }) : objectOf(propertiesOf(entriesOf(node)));
  }
  if (isSeq(node)) return { type: 'array', items: { type: 'object' } };
  const value: unknown = isScalar(node) ? node.value : undefined;
  return typeof value === 'number' ? { type: 'integer', minimum: 0 } : { type: typeof value };
}

/** The schemas of `defaults` that a workload uses unchanged, or with further properties. */
function overridden(defaults: Properties, own: Properties): Properties {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, schema]): [string, Schema] => {
      const known = (schema['properties'] ?? {}) as Properties;
      const added = Object.entries((own[name]?.['properties'] ?? {}) as Properties).filter(
        ([property]) => schema['properties'] !== undefined && !(property in known),
      );
      if (added.length === 0) return [name, { $ref: `#/properties/defaults/properties/${name}` }];
      return [name, { ...schema, properties: { ...known, ...Object.fromEntries(added) } }];
    }),
  );
}

/** The settings without a chart value; `defaults` has those that all services share. */
function settingProperties(): Record<string, Properties> {
  const own = Object.entries(services).map(
    ([name, { settings }]) => [name, ownSettings(settings)] as const,
  );
  const [, first] = own[0] ?? [];
  const common = Object.entries(first ?? {}).filter(([key]) =>
    own.every(([, settings]) => key in settings),
  );
  return {
    ...Object.fromEntries(own),
    console: ownSettings(console.settings),
    defaults: Object.fromEntries(common),
  };
}

function ownSettings(settings: z.ZodObject): Properties {
  const all = Object.entries(settingSchemas(settings));
  return Object.fromEntries(all.filter(([key]) => !valuesWithSettings.has(key)));
}

/** Rejects unknown properties, so that a typing error is found. */
function objectOf(properties: Properties): Schema {
  return { type: 'object', additionalProperties: false, properties };
}

function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}
