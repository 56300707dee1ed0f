import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describeWith } from '@engawa/testing';
import { answering, aPartition, HotPartitionApps } from './hot-partition-apps.ts';

const name = 'engawa.example';

describeWith(['openssl'], 'a peer with a certificate', () => {
  const started = new HotPartitionApps();
  const known = getCACertificates();
  let folder: string;
  let server: { key: Buffer; cert: Buffer };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'engawa-peer-'));
    const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    const whose = ['-nodes', '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    const where = ['-keyout', files.key, '-out', files.cert];
    execFileSync('openssl', [...kind, ...whose, ...where], { stdio: 'pipe' });
    server = { key: readFileSync(files.key), cert: readFileSync(files.cert) };
    setDefaultCACertificates([...known, server.cert.toString()]);
  });

  afterAll(async () => {
    setDefaultCACertificates(known);
    rmSync(folder, { recursive: true });
    await started.close();
  });

  it('must have a certificate for its host name, at each of its addresses', async () => {
    const names: unknown[] = [];
    const secure = createServer(server, answering('x', [aPartition()]));
    secure.on('secureConnection', ({ servername }) => names.push(servername));
    const { port } = new URL(await started.listen(secure));
    const peers = [name, 'other.example', '127.0.0.1'].map((host) => `https://${host}:${port}`);
    const resolveHost = () => Promise.resolve(['127.0.0.1']);
    const app = await started.app([], { peers, resolveHost });
    const answer = await fetch(`${app.url}/v1/hot-partitions/merged`);
    const why = 'the request failed (ERR_TLS_CERT_ALTNAME_INVALID)';
    expect(await answer.json()).toMatchObject({
      partitions: [{ unitsPerSecond: 100 }],
      processes: [
        { url: peers[0], answered: true },
        { url: peers[1], answered: false, why },
        { url: peers[2], answered: false, why },
      ],
    });
    expect(names).toEqual([name]);
  });
});
