import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { gunzipSync, gzipSync } from 'node:zlib';

const blockBytes = 512;

/** Fields of a tar header (POSIX.1-1988, ustar): offset and length in bytes. */
const field = { size: [124, 12], time: [136, 12], checksum: [148, 8] } as const;

/**
 * Sets one time for all entries of a `.tgz` and none in its gzip header, so that equal files
 * produce equal bytes. Helm writes the time of packaging.
 * @param seconds since 1970
 */
export function setTimes(file: string, seconds: number): void {
  const tar = gunzipSync(readFileSync(file));
  for (let start = 0; start + blockBytes <= tar.length && tar[start] !== 0;) {
    const header = tar.subarray(start, start + blockBytes);
    const size = parseInt(header.toString('latin1', field.size[0], field.size[0] + 11), 8);
    writeOctal(header, field.time, seconds);
    // The sum of all bytes of the header, with the checksum field counted as spaces.
    header.fill(' ', field.checksum[0], field.checksum[0] + field.checksum[1]);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, field.checksum[0], 'latin1');
    start += blockBytes + Math.ceil(size / blockBytes) * blockBytes;
  }
  writeFileSync(file, gzipSync(tar, { level: 9 }));
}

function writeOctal(
  header: Buffer,
  [start, bytes]: readonly [number, number],
  value: number,
): void {
  header.write(`${value.toString(8).padStart(bytes - 1, '0')}\0`, start, 'latin1');
}

/** SHA-256 of a file of any size, in hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
