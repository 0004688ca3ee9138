/** Error responses of the providers' servers. Source: the "Errors" sections of their documentation. */
import { expect } from '@open-wc/testing';
import { httpError } from '../../src/runtime/request/http-error.ts';
import { waitBeforeRetry } from '../../src/runtime/request/retry-backoff.ts';

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

describe('a provider’s error response', () => {
  for (const { protocol, name, status, headers, body, expect: expected } of rows) {
    it(`${protocol}: ${name}`, async () => {
      const error = await httpError(new Response(body, { status, headers }), { secrets: [] });
      expect(error.message).to.contain(expected.message);
      expect([error.retryable, error.retryAfter ?? null]).to.deep.equal([expected.retryable, expected.waitMs]);
    });
  }

  it('covers all recorded responses', () => {
    expect(rows).to.have.length(24);
  });

  it('gemini: an invalid key is an access error', async () => {
    const body = '{"error":{"code":400,"message":"x","details":[{"reason":"API_KEY_INVALID"}]}}';
    expect((await httpError(new Response(body, { status: 400 }), { secrets: [] })).kind).to.equal('auth');
  });

  it('gemini: details of other types are left out', async () => {
    const value = { toString: [] };
    const details = [{ violations: [{ quotaId: value }] }, { retryDelay: value }];
    const body = JSON.stringify({ error: { code: 429, message: 'Quota.', details } });
    expect((await httpError(new Response(body, { status: 429 }), { secrets: [] })).message).to.contain('Quota.');
  });

  it('gemini: a daily quota is not retried, a quota per minute is', async () => {
    const wait = async (id: string): Promise<number | undefined> =>
      waitBeforeRetry(await httpError(new Response(quota(id), { status: 429 }), { secrets: [] }), 'auto', 0, 0);
    expect(await wait('GenerateRequestsPerDayPerProject')).to.equal(undefined);
    expect(await wait('GenerateRequestsPerMinutePerProject')).to.equal(9000);
  });

  it('is not retried if the server forbids it', async () => {
    const response = new Response('{}', { status: 500, headers: { 'x-should-retry': 'false' } });
    expect(waitBeforeRetry(await httpError(response, { secrets: [] }), 'auto', 0, 0)).to.equal(undefined);
  });
});
