import { closersAfterEach, describeOnEmbedded, TokenIssuer } from '@engawa/testing';
import { ServiceInOutage } from './service-in-outage.ts';

const closers = closersAfterEach();

async function start(issuer: string): Promise<ServiceInOutage> {
  const service = await ServiceInOutage.create();
  closers.push(() => service.close());
  await service.startTable();
  service.start('registry', {
    ...{ AUTH_MODE: 'jwt', AUTH_ISSUER: issuer, AUTH_AUDIENCE: 'engawa' },
  });
  return service;
}

async function startIssuer(): Promise<TokenIssuer> {
  const issuer = await TokenIssuer.start();
  closers.push(() => issuer.close());
  return issuer;
}

describeOnEmbedded('starts the engine', 'the issuer of tokens', () => {
  it('is required at start: a rollout with a wrong issuer stops', async () => {
    const { url } = await startIssuer();
    const service = await start(`${url}/wrong`);
    const alone = (answer: { missing: string[] }) => answer.missing.join() === 'issuerKeys';
    const answer = await service.readinessWhere('only the issuer missing', alone);
    expect(answer).toMatchObject({ status: 503, ready: false });
  });

  it('may be away later: the pod stays ready', async () => {
    const issuer = await startIssuer();
    const service = await start(issuer.url);
    await service.readinessWhere('a ready service', ({ ready }) => ready);
    await issuer.close();
    const none: string[] = [];
    expect(await service.readiness()).toMatchObject({ ready: true, missing: none, degraded: none });
  });
});
