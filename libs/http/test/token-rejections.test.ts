import { GuardedApp } from './guarded-app.ts';

it('a token for another audience is counted, and told once at warn level', async () => {
  const guarded = await GuardedApp.start();
  try {
    const { issuer, app } = guarded;
    const token = await issuer.token({ scope: 'sample:read', aud: 'another' });
    expect(await guarded.ask(`Bearer ${token}`)).toMatchObject({ status: 401 });
    expect(await guarded.ask('Bearer a.b.c')).toMatchObject({ status: 401 });
    const metrics = await app.registry.metrics();
    expect(metrics).toContain('engawa_http_rejected_tokens_total{reason="audience"} 1');
    expect(metrics).toContain('engawa_http_rejected_tokens_total{reason="invalid"} 1');
    const warnings = app.lines.filter(({ level }) => level === 40);
    expect(warnings).toMatchObject([
      { audience: 'engawa', msg: expect.stringContaining('AUTH_AUDIENCE') as string },
    ]);
  } finally {
    await guarded.close();
  }
});
