import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Names that no resolver knows (RFC 6761, section 6.2), and one that every resolver knows. */
export const hosts = {
  table: 'table.outside.test',
  sts: 'sts.outside.test',
  issuer: 'issuer.outside.test',
  direct: 'localhost',
};

/** The access key that STS issues; the embedded engine accepts any. */
export const issuedKey = 'ASIAOUTSIDE';

export interface OutsideWorldOptions {
  /** URL of the DynamoDB API. */
  table: string;
  /** URL of the keys of the token issuer. */
  keys: string;
}

/** DynamoDB, AWS STS and a token issuer with TLS, on one port. */
export class OutsideWorld {
  readonly port: number;
  /** The certificate, which is its own authority. */
  readonly certificate: string;
  /** A file with a web identity token. */
  readonly identity: string;
  readonly #folder: string;
  readonly #server: Server;

  static async start(options: OutsideWorldOptions): Promise<OutsideWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'engawa-outside-'));
    const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    const names = Object.values(hosts).map((host) => `DNS:${host}`);
    const whose = ['-nodes', '-subj', '/CN=outside', '-addext', `subjectAltName=${names.join()}`];
    execFileSync('openssl', [...kind, ...whose, '-keyout', files.key, '-out', files.cert], {
      stdio: 'pipe',
    });
    const identity = join(folder, 'token');
    writeFileSync(identity, 'a.b.c');
    const tls = { key: readFileSync(files.key), cert: readFileSync(files.cert) };
    const server = createServer(tls, (request, response) => {
      answer(request, response, options).catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OutsideWorld(folder, server);
  }

  private constructor(folder: string, server: Server) {
    this.#folder = folder;
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.certificate = join(folder, 'cert.pem');
    this.identity = join(folder, 'token');
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    rmSync(this.#folder, { recursive: true });
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { table, keys }: OutsideWorldOptions,
): Promise<void> {
  const [host = ''] = (request.headers.host ?? '').split(':');
  const body = Buffer.concat((await request.toArray()) as Buffer[]);
  if (host === hosts.sts) {
    response.setHeader('content-type', 'text/xml').end(assumedRole);
    return;
  }
  const passedOn = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
  const upstream =
    host === hosts.issuer
      ? await fetch(keys)
      : await fetch(table, {
          method: 'POST',
          headers: passedOn.map((name): [string, string] => [
            name,
            String(request.headers[name] ?? ''),
          ]),
          body,
        });
  response.writeHead(upstream.status, {
    'content-type': upstream.headers.get('content-type') ?? '',
  });
  response.end(await upstream.text());
}

/** As AWS STS answers AssumeRoleWithWebIdentity (API reference). */
const assumedRole = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult>
    <Credentials>
      <AccessKeyId>${issuedKey}</AccessKeyId>
      <SecretAccessKey>secret</SecretAccessKey>
      <SessionToken>session</SessionToken>
      <Expiration>2099-01-01T00:00:00Z</Expiration>
    </Credentials>
  </AssumeRoleWithWebIdentityResult>
</AssumeRoleWithWebIdentityResponse>`;
