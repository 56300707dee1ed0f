import { connect } from 'node:net';

/**
 * Sends these bytes on a connection of their own, which clients of HTTP would not send. The server closes it.
 * @param isCut whether the client ends the connection after these bytes, as it does within a body
 * @returns the final status; 0 where the server closes without a response
 */
export function rawStatus(url: string, bytes: string, isCut = false): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let received = '';
    const finish = () => {
      const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, text]) =>
        Number(text),
      );
      resolve(statuses.find((status) => status >= 200) ?? 0);
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
    socket.on('error', () => undefined).on('close', finish);
    if (isCut) socket.end(bytes, 'latin1');
    else socket.write(bytes, 'latin1');
  });
}
