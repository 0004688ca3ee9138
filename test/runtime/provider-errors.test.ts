/** What the providers' servers answer when something is wrong. Source: the "Errors" sections of their pages. */
import { expect } from '@open-wc/testing';
import { httpError } from '../../src/runtime/http-error.ts';
import { waitBeforeRetry } from '../../src/runtime/retry.ts';

interface ProviderError {
  readonly protocol: string;
  readonly name: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly expect: { readonly message: string; readonly retryable: boolean; readonly waitMs: number | null };
}

const rows = await fetch(new URL('./provider-errors.json', import.meta.url)).then(
  (response) => response.json() as Promise<readonly ProviderError[]>,
);
const quota = (quotaId: string): string =>
  JSON.stringify({
    error: { code: 429, message: 'Quota.', details: [{ violations: [{ quotaId }] }, { retryDelay: '9s' }] },
  });

describe('what a provider answers with a bad status', () => {
  for (const { protocol, name, status, headers, body, expect: expected } of rows) {
    it(`${protocol}: ${name}`, async () => {
      const error = await httpError(new Response(body, { status, headers }), { sent: [] });
      expect(error.message).to.contain(expected.message);
      expect([error.retryable, error.retryAfter ?? null]).to.deep.equal([expected.retryable, expected.waitMs]);
    });
  }

  it('has read them all', () => {
    expect(rows).to.have.length(24);
  });

  it('gemini: a bad key is a matter of access', async () => {
    const body = '{"error":{"code":400,"message":"x","details":[{"reason":"API_KEY_INVALID"}]}}';
    expect((await httpError(new Response(body, { status: 400 }), { sent: [] })).kind).to.equal('auth');
  });

  it('gemini: the quota of a day is not waited for, that of a minute is', async () => {
    const wait = async (id: string): Promise<number | undefined> =>
      waitBeforeRetry(await httpError(new Response(quota(id), { status: 429 }), { sent: [] }), 'auto', 0, 0);
    expect(await wait('GenerateRequestsPerDayPerProject')).to.equal(undefined);
    expect(await wait('GenerateRequestsPerMinutePerProject')).to.equal(9000);
  });

  it('a server that says so is not asked again', async () => {
    const response = new Response('{}', { status: 500, headers: { 'x-should-retry': 'false' } });
    expect(waitBeforeRetry(await httpError(response, { sent: [] }), 'auto', 0, 0)).to.equal(undefined);
  });
});
