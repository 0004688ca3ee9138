/** The strictest page that the widget must work on, and a monitor of its effects there. */
import type { Page } from 'playwright-core';

/** Source: `docs/security.md`. */
export const STRICT =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'none'; " +
  "media-src 'none'; frame-src 'none'; worker-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; " +
  "require-trusted-types-for 'script'; trusted-types lit-html dompurify agent-chat";

interface Watched {
  violations: string[];
}

export interface Watch {
  /** Requested addresses of other hosts. */
  readonly externalRequests: readonly string[];
  violations(): Promise<readonly string[]>;
}

/** Records everything from now on. */
export async function watch(page: Page): Promise<Watch> {
  const { origin } = new URL(page.url());
  const externalRequests: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) externalRequests.push(url);
  });
  await page.evaluate(() => {
    const watched = globalThis as unknown as Watched;
    watched.violations = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile, lineNumber, sample }) => {
      watched.violations.push(`${violatedDirective} ${sourceFile}:${String(lineNumber)} ${sample}`);
    });
  });
  return { externalRequests, violations: () => page.evaluate(() => (globalThis as unknown as Watched).violations) };
}
