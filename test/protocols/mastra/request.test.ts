import type { Answer } from '../../../src/protocols/core/adapter.ts';
import { adapter as mastra } from '../../../src/protocols/mastra/mastra.ts';
import { assistant, conversation, toolBlock, user } from '../../support/messages.ts';
import { expect } from '@open-wc/testing';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import { testSent } from '../../support/sent-tests.ts';

const agent = 'https://a.example/api/agents/weather';
const url = `${agent}/stream`;
const options = { url };
const turn = { text: 'Hello' };
const messages = [user('A'), assistant('B'), user('Hello')];
const hello = { role: 'user', content: 'Hello' };
const stream = (body: object) => ({ url, method: 'POST', body: { ...body, closeOnSuspend: true } });
const memory = { resource: 'u-17' };
const tools = [{ name: 'pick', description: 'Picks one', parameters: { type: 'object' } }];
const clientTools = { pick: { id: 'pick', description: 'Picks one', inputSchema: { type: 'object' } } };
const ran = assistant([{ type: 'content', content: 'Let me see.' }, toolBlock('c', 'pick', '{"n":1}', 'blue')]);
const sentCall = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'Let me see.' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'pick', input: { n: 1 } },
  ],
};
const sentResult = {
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'pick', output: { type: 'text', value: 'blue' } }],
};
const answer = (decision: Answer['decision'], more: Partial<Answer> = {}): Answer => ({
  decision,
  blockId: 'b',
  actionType: 'tool_call_permission',
  extra: { runId: 'r', requestId: 'c' },
  ...more,
});
const asked = { runId: 'r', requestId: 'c', suspended: true };
const below = (path: string, body: object) => [{ url: `${agent}/${path}`, method: 'POST', body }];

describe('mastra, requests', () => {
  testSent(mastra, [
    ...[false, true].map((network) => ({
      name: `rule 83: a yes to a question that shows no call is no approval${network ? ' of a network' : ''}`,
      turn: {
        answers: [answer('granted', { actionType: 'confirmation', extra: { runId: 'r', requestId: 'c', network } })],
      },
      options: { url: agent },
      sent: network
        ? below('decline-network-tool-call', { runId: 'r' })
        : below('decline-tool-call', { runId: 'r', toolCallId: 'c' }),
    })),
    {
      name: 'without a memory the complete conversation is sent',
      messages,
      turn,
      options,
      sent: [
        stream({
          messages: [
            { role: 'user', content: 'A' },
            { role: 'assistant', content: [{ type: 'text', text: 'B' }] },
            hello,
          ],
        }),
      ],
    },
    {
      name: 'a call whose arguments are no JSON, or missing, has none',
      messages: [user('A'), assistant([toolBlock('c', 'pick', '{"n":', 'blue')]), user('Hello')],
      turn,
      options,
      sent: [
        stream({
          messages: [
            { role: 'user', content: 'A' },
            { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'pick', input: {} }] },
            sentResult,
            hello,
          ],
        }),
      ],
    },
    {
      name: 'a file without a name',
      messages: [user('Hello', { attachments: [{ kind: 'file', mimeType: 'text/plain', data: btoa('x') }] })],
      turn,
      options,
      sent: [
        stream({
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'Hello' },
                { type: 'file', data: btoa('x'), mediaType: 'text/plain' },
              ],
            },
          ],
        }),
      ],
    },
    {
      name: 'with a memory only the new message, in the thread of the conversation',
      messages,
      turn,
      options: { url, body: { memory } },
      sent: [stream({ messages: [hello], memory: { thread: 'thread', resource: 'u-17' } })],
    },
    {
      name: 'the page may name the thread',
      messages,
      turn,
      options: { url, body: { memory: { ...memory, thread: 'own' } } },
      sent: [stream({ messages: [hello], memory: { thread: 'own', resource: 'u-17' } })],
    },
    {
      name: 'the page’s own fields, its instructions, its tools',
      messages: [user('Hello')],
      turn,
      options: { url, tools, system: 'Be short', context: { page: '/x' }, body: { maxSteps: 3 } },
      sent: [
        stream({
          messages: [hello],
          system: 'Be short\n\nContext of the page the user is on:\n{"page":"/x"}',
          clientTools,
          maxSteps: 3,
        }),
      ],
    },
    {
      name: 'the agent’s own address',
      messages: [user('Hello')],
      turn,
      options: { url: `${agent}/` },
      sent: [stream({ messages: [hello] })],
    },
    {
      name: 'an image',
      messages: [
        user('Hello', {
          blocks: [{ type: 'image', image_data: { data: 'eA==', mimeType: 'image/png' } }],
        }),
      ],
      turn,
      options,
      sent: [
        stream({
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'Hello' },
                { type: 'file', data: 'eA==', mediaType: 'image/png' },
              ],
            },
          ],
        }),
      ],
    },
    {
      name: 'the result of a tool of the page',
      messages: [user('Hello'), ran],
      options,
      sent: [stream({ messages: [hello, sentCall, sentResult] })],
    },
    {
      name: 'the same to a server that has a memory',
      messages: [user('Hello'), ran],
      options: { url, body: { memory } },
      sent: [stream({ messages: [sentResult], memory: { thread: 'thread', resource: 'u-17' } })],
    },
    {
      name: 'a yes',
      turn: { answers: [answer('granted')] },
      options,
      sent: below('approve-tool-call', { runId: 'r', toolCallId: 'c' }),
    },
    {
      name: 'a no with its reason',
      turn: { answers: [answer('denied', { note: 'Too dear' })] },
      options,
      sent: below('decline-tool-call', { runId: 'r', toolCallId: 'c', reason: 'Too dear' }),
    },
    {
      name: 'what a tool has asked for',
      turn: { answers: [answer('answered', { extra: asked, payload: { day: 'Monday' } })] },
      options,
      sent: below('resume-stream', { runId: 'r', toolCallId: 'c', resumeData: { day: 'Monday' } }),
    },
    {
      name: 'none, after it was dismissed',
      turn: { answers: [answer('dismissed', { extra: asked })] },
      options,
      sent: below('resume-stream', { runId: 'r', toolCallId: 'c', resumeData: null }),
    },
  ]);

  testSent(mastra, [
    ...(['granted', 'denied'] as const).map((decision) => ({
      name: `the answer to a network, ${decision}`,
      messages,
      options: { url: `${agent}/network` },
      turn: { answers: [answer(decision, { extra: { runId: 'r', requestId: 'c', network: true } })] },
      sent: below(`${decision === 'granted' ? 'approve' : 'decline'}-network-tool-call`, { runId: 'r' }),
    })),
  ]);

  it('observes a run that broke off', async () => {
    const last = assistant('B', { metadata: { runId: 'r' } });
    const resumed = await mastra.resume?.(
      { ...emptyTurn, messages: conversation(user('A'), last) },
      { ...requestOptions, url },
    );
    expect([resumed?.from, resumed?.request.url, resumed?.request.init.body]).to.deep.equal([
      'start',
      `${agent}/observe`,
      { runId: 'r' },
    ]);
  });

  it('does not observe a reply without a run, or one that the user has answered', async () => {
    const question = { type: 'action', action_type: 'tool_call_permission', status: 'granted' } as const;
    for (const last of [assistant('B'), assistant([question], { metadata: { runId: 'r' } })]) {
      const conversed = { ...emptyTurn, messages: conversation(user('A'), last) };
      expect(await mastra.resume?.(conversed, { ...requestOptions, url })).to.equal(undefined);
    }
  });
});
