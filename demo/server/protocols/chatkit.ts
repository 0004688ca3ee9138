/**
 * A ChatKit server: items that are added, streamed and completed. Source: openai/chatkit-python, `chatkit/types.py`.
 */
import { randomUUID } from 'node:crypto';
import { BROKEN_SSE, play, streamChunks, sse, type Protocol } from '../play.ts';
import { textOf } from '../turn.ts';

export const chatKit: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  async answer(exchange) {
    const { wire, turn, conversation: thread_id } = exchange;
    const created_at = new Date().toISOString();
    const send = (type: string, rest: object = {}): Promise<boolean> => wire.send(sse({ type, ...rest }));
    const itemOf = (id: string, type: string, rest: object) => ({ id, thread_id, created_at, type, ...rest });
    const update = (item_id: string, type: string, rest: object): Promise<boolean> =>
      send('thread.item.updated', { item_id, update: { type, ...rest } });
    const workflow = { id: randomUUID(), type: 'custom', tasks: [] as object[] };
    const workflowItem = () => itemOf(workflow.id, 'workflow', { workflow: { type: 'custom', tasks: workflow.tasks } });
    const task = async (sharedFields: object): Promise<void> => {
      const task_index = workflow.tasks.push(sharedFields) - 1;
      if (task_index === 0) await send('thread.item.added', { item: workflowItem() });
      else await update(workflow.id, 'workflow.task.added', { task_index, task: sharedFields });
    };

    if (textOf(turn.body['type']) !== 'threads.add_user_message')
      await send('thread.created', {
        thread: { id: thread_id, created_at, status: { type: 'active' }, items: { data: [] } },
      });
    await send('thread.item.done', {
      item: itemOf(randomUUID(), 'user_message', { content: [], inference_options: {} }),
    });
    await send('stream_options', { stream_options: { allow_cancel: true } });
    const ending = await play(exchange, {
      async think({ text }) {
        await task({ type: 'thought', content: text });
      },
      async text({ text }) {
        const id = randomUUID();
        let whole = '';
        await send('thread.item.added', { item: itemOf(id, 'assistant_message', { content: [] }) });
        await streamChunks(text, exchange, (delta) => {
          whole += delta;
          return update(id, 'assistant_message.content_part.text_delta', { content_index: 0, delta });
        });
        const content = [{ type: 'output_text', text: whole, annotations: [] }];
        await send('thread.item.done', { item: itemOf(id, 'assistant_message', { content }) });
      },
      async tool({ description, name, paces, outcome }) {
        const sharedFields = { type: 'custom', title: description || name };
        await task({ ...sharedFields, status_indicator: 'loading' });
        await wire.wait(paces);
        const task_index = workflow.tasks.length - 1;
        workflow.tasks[task_index] = { ...sharedFields, status_indicator: 'failure' in outcome ? 'none' : 'complete' };
        await update(workflow.id, 'workflow.task.updated', { task_index, task: workflow.tasks[task_index] });
      },
      error: ({ message }) => send('error', { code: 'custom', message, allow_retry: false }),
    });
    if (ending !== 'failed') {
      if (workflow.tasks.length > 0) await send('thread.item.done', { item: workflowItem() });
      await send('thread.item.done', { item: itemOf(randomUUID(), 'end_of_turn', {}) });
    }
    await wire.end();
  },
};
