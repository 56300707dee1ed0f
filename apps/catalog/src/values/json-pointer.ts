import { ValueError } from './value-error.ts';

/** The names of a JSON Pointer (RFC 6901), of which `~0` is `~` and `~1` is `/`. @throws ValueError */
export function parsePointer(pointer: string): readonly string[] {
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) {
    throw new ValueError(
      `has ${JSON.stringify(pointer)}, which is not a JSON Pointer such as "/a"`,
    );
  }
  const names = pointer.slice(1).split('/');
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
