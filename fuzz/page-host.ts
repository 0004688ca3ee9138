/** A browser for Markdown and the sanitizer. */
import { rm } from 'node:fs/promises';
import { startBrowser } from '../bench/harness/browser.ts';
import { bundle } from '../bench/harness/bundle.ts';
import { openSite } from '../bench/harness/site.ts';
import type * as Page from './page.ts';

export interface FuzzPage {
  /** @throws when an invariant fails for this text */
  show(text: string): Promise<void>;
  close(): Promise<void>;
}

export async function openPage(): Promise<FuzzPage> {
  const bundled = await bundle(['../fuzz/page']);
  const site = await openSite(bundled);
  const browser = await startBrowser(site.origin);
  const stage = await browser.openStage();
  const problems: string[] = [];
  stage.page.on('pageerror', ({ message }) => problems.push(`The page threw: ${message}`));
  stage.page.on('dialog', (dialog) => {
    problems.push('A dialog came.');
    void dialog.dismiss();
  });
  stage.page.on('request', (request) => {
    if (!request.url().startsWith(site.origin)) problems.push(`It was asked for: ${request.url()}`);
  });
  const script = stage.script<typeof Page>('page');
  return {
    async show(text) {
      const problem = (await script('show', text)) ?? problems.splice(0)[0];
      if (problem !== undefined) throw new Error(problem);
    },
    async close() {
      await browser.close();
      await site.close();
      await rm(bundled, { recursive: true });
    },
  };
}
