/** A message that the user writes while the agent asks something. */
import { expect } from '@open-wc/testing';
import { sse } from '../support/play-body.ts';
import { makeChat, pending, until } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';

const ids = { task_id: 't', message_id: 'm', conversation_id: 'c' };
const form = (...actions: readonly string[]) =>
  stream(
    sse(
      {
        event: 'human_input_required',
        ...ids,
        workflow_run_id: 'w',
        data: {
          form_id: 'f',
          form_token: 'tok',
          form_content: 'Delete the account?',
          inputs: [{ type: 'paragraph', output_variable_name: 'comment' }],
          actions: actions.map((id) => ({ id, title: id })),
        },
      },
      { event: 'workflow_paused', ...ids, data: {} },
    ),
  );
const accepted = (): Response => new Response('{}', { headers: { 'content-type': 'application/json' } });
const ended = stream(sse({ event: 'message', ...ids, answer: 'Ok.' }, { event: 'message_end', ...ids, metadata: {} }));
const settings = { protocol: 'dify', endpoint: 'https://agent.example/v1/chat-messages' };

describe('rule 84: a message that is written beside a form', () => {
  it('presses none of its buttons: it waits until the user has', async () => {
    const { chat, server } = makeChat([form('approve', 'reject'), accepted, ended, ended], settings);
    const first = chat.send('Hi');
    await until(chat, () => chat.status === 'awaiting-action');
    const second = chat.send('No, please don’t!');
    expect(pending(chat).status).to.equal('pending');
    expect(chat.messages.at(-1)?.status).to.equal('queued');
    void chat.respond(pending(chat).id, 'answered', { payload: 'reject' });
    await Promise.all([first, second]);
    const bodies = server.bodies as readonly ({ readonly action?: string; readonly query?: string } | undefined)[];
    expect(bodies.map((body) => body?.action ?? body?.query)).to.deep.equal([
      'Hi',
      'reject',
      undefined,
      'No, please don’t!',
    ]);
  });

  it('with one button is the text for its field', async () => {
    const { chat, server } = makeChat([form('continue'), accepted, ended], settings);
    const first = chat.send('Hi');
    await until(chat, () => chat.status === 'awaiting-action');
    void chat.send('Rome');
    await first;
    expect(server.bodies[1]).to.deep.include({ action: 'continue', inputs: { comment: 'Rome' } });
  });
});

const run = (...events: readonly object[]) =>
  stream(sse({ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, ...events));
const finished = (outcome: object = {}): object => ({ type: 'RUN_FINISHED', threadId: 't', runId: 'r', ...outcome });

describe('rule 84: a message that is written beside a question', () => {
  const start = async (responseSchema: object) => {
    const interrupts = [{ id: 'q', reason: 'app:ask', message: 'Delete it?', responseSchema }];
    const { chat } = makeChat([run(finished({ outcome: { type: 'interrupt', interrupts } })), run(finished())], {
      protocol: 'ag-ui',
    });
    void chat.send('Hi');
    await until(chat, () => chat.status === 'awaiting-action');
    void chat.send('No!');
    return chat;
  };

  for (const [name, schema] of [
    ['with a field for yes or no', { type: 'object', properties: { approved: { type: 'boolean' } } }],
    ['for yes or no', { type: 'boolean' }],
  ] as const) {
    it(`${name} is no answer: any text would count as a yes`, async () => {
      const chat = await start(schema);
      expect(pending(chat).status).to.equal('pending');
      expect(chat.messages.at(-1)?.status).to.equal('queued');
      chat.stop();
    });
  }

  it('for a text is the answer', async () => {
    const chat = await start({ type: 'object', properties: { reason: { type: 'string' } } });
    expect(() => pending(chat)).to.throw();
    chat.stop();
  });
});
