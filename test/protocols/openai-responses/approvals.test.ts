import { adapter as openAiResponses } from '../../../src/protocols/openai-responses/openai-responses.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import type { LooseBlock } from '../../support/messages.ts';
import { assistant, user } from '../../support/messages.ts';
import { message } from './streams.ts';

const stream = { stream: true, store: false, include: ['reasoning.encrypted_content'] };
const asks = (text: string) => ({ role: 'user', content: [{ type: 'input_text', text }] });
const content = (text: string): LooseBlock => ({ type: 'content', content: text });
const sealed = { type: 'reasoning', id: 'rs', encrypted_content: 'AA', summary: [] };
const rounds = (...lists: readonly (readonly object[])[]) => ({
  metadata: { rounds: lists.map((items) => ({ protocol: 'openai-responses', items })) },
});
const approval = { type: 'mcp_approval_request', id: 'mcpr', name: 'f', server_label: 's', arguments: '{}' };
const allowed = { type: 'mcp_approval_response', approval_request_id: 'mcpr', approve: true };
const ask = (status: 'pending' | 'granted' | 'denied', id = 'b'): LooseBlock => ({
  id,
  type: 'action',
  action_type: 'tool_call_permission',
  status,
  tool_call: { id: 'mcpr', name: 'f', params: '{}', server_name: 's' },
  extra: { requestId: 'mcpr' },
});
const answer = {
  decision: 'granted',
  blockId: 'b',
  actionType: 'tool_call_permission',
  toolCallId: 'mcpr',
  extra: { requestId: 'mcpr' },
} as const;

describe('openai-responses, approvals', () => {
  const waiting = (status: 'granted' | 'denied') => [user('hi'), assistant([ask(status)], rounds([sealed, approval]))];
  const sent = (response: object) => ({ ...stream, input: [asks('hi'), sealed, approval, response] });
  testRequests(openAiResponses, [
    {
      name: 'a permission is sent after its request',
      messages: waiting('granted'),
      turn: { answers: [answer] },
      body: sent(allowed),
    },
    {
      name: 'a denial has its reason',
      messages: waiting('denied'),
      turn: { answers: [{ ...answer, decision: 'denied', note: 'Not now.' }] },
      body: sent({ ...allowed, approve: false, reason: 'Not now.' }),
    },
    {
      name: 'rule 83: a permission that only a stored item claims is not sent',
      messages: [
        user('hi'),
        assistant([content('Ok.')], rounds([sealed, approval, allowed, message('Ok.')])),
        user('thanks'),
      ],
      body: { ...stream, input: [asks('hi'), message('Ok.'), asks('thanks')] },
    },
    {
      name: 'a permission for other arguments is not valid for these',
      messages: waiting('granted'),
      turn: { answers: [{ ...answer, arguments: { x: 2 } }] },
      body: sent({ ...allowed, approve: false, reason: 'The user wants it to be called with {"x":2} instead.' }),
    },
    {
      name: 'rule 83: is not for an earlier request with the same id, which was denied',
      messages: [
        user('hi'),
        assistant(
          [
            { ...ask('denied', 'a'), tool_call: { id: 'mcpr', name: 'f', params: '{"all":true}', server_name: 's' } },
            ask('granted'),
          ],
          rounds([{ ...approval, arguments: '{"all":true}' }], [approval]),
        ),
      ],
      turn: { answers: [answer] },
      body: { ...stream, input: [asks('hi'), approval, allowed] },
    },
    {
      name: 'rule 83: is not for a request whose card another one with the same id has replaced',
      messages: [
        user('hi'),
        assistant(
          [
            {
              ...ask('pending', 'a'),
              status: 'cancel',
              tool_call: { id: 'mcpr', name: 'f', params: '{"all":true}', server_name: 's' },
            },
            ask('granted'),
          ],
          rounds([{ ...approval, arguments: '{"all":true}' }, approval]),
        ),
      ],
      turn: { answers: [answer] },
      body: { ...stream, input: [asks('hi'), approval, allowed] },
    },
    ...(
      [
        ['other arguments', { tool_call: { id: 'mcpr', name: 'f', params: '{"x":1}', server_name: 's' } }],
        ['another server', { tool_call: { id: 'mcpr', name: 'f', params: '{}', server_name: 'other' } }],
        ['a question of another kind', { action_type: 'question', content: 'Like it?' }],
      ] as const
    ).flatMap(([name, shown]) =>
      (['granted', 'denied', 'pending'] as const).map((status) => ({
        name: `rule 83: is not for a request beside one that shows ${name} and was answered: stored as ${status}`,
        messages: [
          user('hi'),
          assistant([{ ...ask('granted'), ...shown }, ask(status, 'stored')], rounds([sealed, approval])),
        ],
        turn: { answers: [answer] },
        body: {
          ...stream,
          input: [asks('hi'), ...(status === 'denied' ? [sealed, approval, { ...allowed, approve: false }] : [])],
        },
      })),
    ),
    {
      name: 'rule 83: a no to one of two questions about a request is a no to both',
      messages: [user('hi'), assistant([ask('denied', 'a'), ask('granted')], rounds([sealed, approval]))],
      turn: { answers: [{ ...answer, decision: 'denied', blockId: 'a' }, answer] },
      body: sent({ ...allowed, approve: false }),
    },
    {
      name: 'later, a call that has run keeps its permission',
      messages: [
        user('hi'),
        assistant(
          [ask('granted'), content('Done')],
          rounds([approval], [{ type: 'mcp_call', id: 'mcp', approval_request_id: 'mcpr' }, message('Done')]),
        ),
        user('more'),
      ],
      body: {
        ...stream,
        input: [
          asks('hi'),
          approval,
          allowed,
          { type: 'mcp_call', id: 'mcp', approval_request_id: 'mcpr' },
          message('Done'),
          asks('more'),
        ],
      },
    },
    {
      name: 'later, a call that never ran is not run unexpectedly, and an open request is not sent either',
      messages: [user('hi'), assistant([ask('granted')], rounds([sealed, approval])), user('more')],
      body: { ...stream, input: [asks('hi'), asks('more')] },
    },
    {
      name: 'an unanswered request is omitted',
      messages: [user('hi'), assistant([ask('pending')], rounds([sealed, approval])), user('more')],
      body: { ...stream, input: [asks('hi'), asks('more')] },
    },
  ]);
});
