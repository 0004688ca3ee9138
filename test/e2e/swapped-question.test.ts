/** A question that takes the place of another one while the user presses. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { releaseContext, openSite, type Site } from './support/site.ts';

describe('rule 103: a question that appears under the pointer', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': '<agent-chat endpoint="/agent" persist="none"></agent-chat>' } });
  });
  after(() => site.close());

  it('takes no press for half a second: it was meant for what was there before', async () => {
    const page = await site.visit('/');
    const ask = (tool: string): Promise<void> =>
      page.evaluate(async (name) => {
        await customElements.whenDefined('agent-chat');
        const chat = document.querySelector('agent-chat')!;
        const call = { name, params: '{"path":"/home"}' };
        chat.messages = [
          {
            id: 'm',
            role: 'assistant',
            blocks: [
              { id: name, type: 'action', action_type: 'tool_call_permission', status: 'pending', tool_call: call },
            ],
          },
        ];
      }, tool);
    await ask('read_file');
    await page.evaluate(() => {
      Object.assign(globalThis, { answers: [] });
      document.querySelector('agent-chat')!.addEventListener('agent-chat-action', ({ detail }) => {
        const { id } = detail.block ?? {};
        (globalThis as unknown as { answers: unknown[] }).answers.push(`${detail.action} ${String(id)}`);
      });
    });
    const box = await page.getByRole('button', { name: 'Allow once' }).boundingBox();
    assert.ok(box);
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    await page.mouse.move(x, y);
    await page.waitForTimeout(600);
    await ask('delete_all');
    await page.getByRole('group', { name: /Delete all/ }).waitFor();
    await page.mouse.click(x, y);
    assert.deepEqual(await page.evaluate('answers'), []);
    await page.waitForTimeout(600);
    await page.mouse.click(x, y);
    assert.deepEqual(await page.evaluate('answers'), ['granted delete_all']);
    await releaseContext(page);
  });
});
