/** Blocks may come from the page or from storage. Whatever they contain, the rest of the conversation is shown. */
import { expect, waitUntil } from '@open-wc/testing';
import type { LooseBlock } from '../support/messages.ts';
import { inside, mount, warningsOf, wordsOf } from '../components/support/mount.ts';

const whole: readonly LooseBlock[] = [
  { type: 'content', content: 'a', citations: [{ id: 'c', end: 1 }] },
  { type: 'reasoning_content', content: 'a', reasoning_time: { start: 1, end: 2 } },
  { type: 'error', content: 'a', extra: { code: 'x', recoverable: true } },
  { type: 'search', content: 'a', extra: { total: 1, pages: [{ title: 'a', url: 'https://a.example/' }] } },
  { type: 'artifact-thinking', content: 'a', artifact: { identifier: 'a', title: 'a', type: 'text/html' } },
  {
    type: 'tool_call',
    tool_call: { id: 't', name: 'f', params: '{}', response: 'x' },
    progress: { value: 1, message: 'm' },
    error: { message: 'e' },
  },
  { type: 'action', action_type: 'tool_call_permission', status: 'pending', tool_call: { id: 't', name: 'f' } },
  { type: 'action', action_type: 'confirmation', status: 'pending', extra: { options: [{ label: 'a' }] } },
  { type: 'action', action_type: 'question', status: 'pending', content: 'q', extra: { options: [{ label: 'a' }] } },
  { type: 'action', action_type: 'rate_limit', status: 'pending', extra: { providerId: 'p', estimatedWaitTime: 1 } },
  { type: 'image', image_data: { data: 'AA', mimeType: 'image/png' }, url: 'https://a.example/x', name: 'x' },
  { type: 'data', data: { data_type: 'dataframe', data: { columns: ['a'], rows: [[1]] }, metadata: {} } },
  { type: 'data', data: { data_type: 'chart', data: { labels: ['a'], series: [1] } } },
  { type: 'data', data: { data_type: 'image', data: { url: 'https://a.example/x' } } },
  { type: 'audio', url: 'https://a.example/x', name: 'x' },
  { type: 'video', url: 'https://a.example/x', mimeType: 'video/mp4' },
  { type: 'file', url: 'https://a.example/x', name: 'x', size: 1 },
  { type: 'code', code: { language: 'js', content: 'x', output: 'y' } },
  { type: 'command_result', commandResult: { success: true, output: 'x' } },
  { type: 'progress', progress: { current: 1, total: 2, message: 'm' } },
  { type: 'plan', plan: [{ title: 'a', state: 'done' }] },
  { type: 'ui', ui: { a: 1 } },
  { type: 'status', phase: 'thinking', extra: { steps: [{ phase: 'thinking', start: 1 }] } },
];

/** A longer conversation does not render messages far from the view. */
const MOST = 40;
const ODD: readonly unknown[] = [undefined, null, 7, 'word', [null], { constructor: null }];

/** Copies of a block, each with one invalid field, also nested ones. */
function withInvalidFields(block: LooseBlock): readonly LooseBlock[] {
  const change = (value: unknown, depth: number): readonly unknown[] => {
    if (typeof value !== 'object' || value === null || depth > 3) return [];
    return Object.entries(value).flatMap(([name, inner]) => {
      if (name === 'type' && depth === 0) return [];
      const replaced = [...ODD, ...change(inner, depth + 1)];
      return replaced.map((odd) =>
        Array.isArray(value)
          ? value.map((item: unknown, index) => (String(index) === name ? odd : item))
          : { ...value, [name]: odd },
      );
    });
  };
  return change(block, 0) as readonly LooseBlock[];
}

describe('invalid fields', () => {
  for (const block of whole) {
    const name = [block.type, (block as { action_type?: string }).action_type].filter(Boolean).join(' ');
    it(`of ${name} affect only the block itself`, async () => {
      const problems: string[] = [];
      const note = (event: Event): void => {
        event.preventDefault();
        problems.push(
          String(event instanceof PromiseRejectionEvent ? event.reason : (event as unknown as ErrorEvent).message),
        );
      };
      addEventListener('error', note);
      addEventListener('unhandledrejection', note);
      try {
        const all = withInvalidFields(block);
        // So few that all are rendered.
        for (let start = 0; start < all.length; start += MOST) {
          const { chat } = await mount();
          const odd = all.slice(start, start + MOST);
          await warningsOf(async () => {
            chat.messages = [
              { role: 'assistant', blocks: [{ type: 'content', content: 'Before.' }] },
              ...odd.map((block, index) => ({
                role: 'assistant' as const,
                blocks: [
                  { type: 'content' as const, content: `Above ${String(index)}.` },
                  block,
                  { type: 'content' as const, content: `Below ${String(index)}.` },
                ],
              })),
              { role: 'assistant', blocks: [{ type: 'content', content: 'Behind it.' }] },
            ];
            await inside(chat, 'agent-chat-message:last-of-type [part~="block-content"]');
            await rendered(chat.renderRoot);
          });
          const texts = ['Before.', 'Behind it.'];
          odd.forEach((_, index) => texts.push(`Above ${String(index)}.`, `Below ${String(index)}.`));
          const missing = (text: string): readonly string[] => texts.filter((one) => !text.includes(one));
          // On a busy machine the last messages come a few frames later.
          await waitUntil(() => missing(wordsOf(chat)).length === 0).catch(() => undefined);
          expect(missing(wordsOf(chat))).to.deep.equal([]);
          for (const format of ['json', 'markdown', 'openai-messages', 'agentscope-msgs'] as const)
            expect(missing(await chat.exportConversation(format)), format).to.deep.equal([]);
        }
      } finally {
        removeEventListener('error', note);
        removeEventListener('unhandledrejection', note);
      }
      expect([...new Set(problems)]).to.deep.equal([]);
    });
  }
});

/** Resolves when the lazy modules are loaded and every element has rendered. */
async function rendered(root: ParentNode): Promise<void> {
  await Promise.all([
    import('../../src/renderers/actions/action.ts'),
    import('../../src/renderers/artifacts/artifact.ts'),
    import('../../src/renderers/data/chart.ts'),
    import('../../src/renderers/tools/code.ts'),
    import('../../src/renderers/data/data.ts'),
    import('../../src/renderers/media/media.ts'),
    import('../../src/renderers/status/progress.ts'),
    import('../../src/renderers/tools/search.ts'),
  ]);
  await new Promise(requestAnimationFrame);
  const elements = [...root.querySelectorAll<Element & { readonly updateComplete?: Promise<unknown> }>('*')];
  await Promise.allSettled(elements.map(({ updateComplete = Promise.resolve() }) => updateComplete));
  await new Promise(requestAnimationFrame);
}
