import { stdSerializers } from 'pino';

/** Names of fields whose values are never logged, in lower case and without `-` and `_`. */
const privateNames = new Set([
  'accesskeyid',
  'accesstoken',
  'apikey',
  'authorization',
  'cookie',
  'passphrase',
  'password',
  'payload',
  'privatekey',
  'proxyauthorization',
  'refreshtoken',
  'secret',
  'secretaccesskey',
  'sessiontoken',
  'setcookie',
  'token',
  'xapikey',
]);

/** Maximum depth, the same as pino's; it also ends circular references. */
const deepest = 5;

/**
 * A copy of the logged fields without the values of private fields, at any depth and in errors.
 * pino's own `redact` needs a path per level, is case-sensitive, and throws on a Buffer under
 * `*.*.name`; logging must never fail.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (depth > deepest) return '[deeper]';
  if (value instanceof Error) return redactFields(stdSerializers.err(value), depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return redactFields(value, depth);
}

/** Redacts the fields of one object. */
export function redactFields(fields: object, depth = 0): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    clean[name] = isPrivate(name) ? '[redacted]' : redact(value, depth + 1);
  }
  return clean;
}

function isPrivate(name: string): boolean {
  return privateNames.has(name.replaceAll(/[-_]/g, '').toLowerCase());
}
