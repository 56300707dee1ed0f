/** A hex dump: offset, bytes, and their printable ASCII characters. @param width bytes of a line */
export function hexDump(bytes: Uint8Array, width: number): string {
  const digits = Math.max(4, (bytes.length - 1).toString(16).length);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += width) {
    const row = [...bytes.subarray(at, at + width)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = row.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : '·'));
    const offset = at.toString(16).padStart(digits, '0');
    lines.push(`${offset}  ${hex.padEnd(3 * width - 1)}  ${text.join('')}`);
  }
  return lines.join('\n');
}

/** Text with visible control characters (Unicode block 2400); line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0xfeff) return '\u2402'; // a byte order mark
    return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code);
  });
}

export function bytesOfBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
