import { expect } from '@open-wc/testing';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import { ChatError } from '../../../src/errors.ts';
import { adapter as agno } from '../../../src/protocols/agno/agno.ts';
import { pauseEvents, type PausedRun } from '../../../src/protocols/agno/paused-tools.ts';
import type { Answer } from '../../../src/protocols/core/adapter.ts';
import { conversation, type LooseBlock } from '../../support/messages.ts';
import { emptyTurn, playEvents, requestOptions } from '../../support/play-body.ts';
import { testCancel, testSent } from '../../support/sent-tests.ts';
import { known, tool } from './streams.ts';

const URL_ = 'https://a.example/agents/guide/runs';
const options = { url: URL_ };
const common = { stream: 'true', session_id: 's' };
const toolToConfirm = tool({ requires_confirmation: true });
const paused = (...items: readonly object[]): Record<string, unknown> => ({
  ...known,
  paused: { field: 'tools', items },
});
const answer = (more: Partial<Answer>): Answer => ({
  decision: 'granted',
  blockId: 'b',
  actionType: 'tool_call_permission',
  extra: { requestId: 'c' },
  ...more,
});
/** A reply that waits for the user, with the cards of its paused calls: the last one has the id `b`. */
function asked(metadata: Record<string, unknown>): readonly MessageInput[] {
  const events = metadata['paused'] ? pauseEvents(metadata['paused'] as PausedRun) : [];
  const { messages } = playEvents(
    events.map((data) => ({ type: 'response', data: { eventId: 'reply', ...data } }) as const),
  );
  const blocks = messages.flatMap((message) => message.blocks);
  const last = blocks.findLast(({ type }) => type === 'action');
  return [
    { role: 'user', text: 'Hi' },
    {
      role: 'assistant',
      metadata,
      blocks: blocks.map((block): LooseBlock => (block === last ? { ...block, id: 'b' } : block)),
    },
  ];
}

/** The card of the call to confirm. */
const shownQuestion = (status: 'granted' | 'denied'): LooseBlock => ({
  id: 'b',
  type: 'action',
  action_type: 'tool_call_permission',
  status,
  tool_call: { id: 'c', name: 'weather', params: '{"city":"Rome"}' },
  extra: { requestId: 'c' },
});

describe('agno, requests', () => {
  testSent(agno, [
    {
      name: 'the first message, in the conversation’s own session',
      messages: [{ role: 'user', text: 'Hi' }],
      turn: { text: 'Hi' },
      options: { url: 'https://a.example/agents/guide/' },
      sent: [{ url: URL_, method: 'POST', body: { message: 'Hi', stream: 'true', session_id: 'thread' } }],
    },
    {
      name: 'the next message in the same session, with context and the page’s fields',
      messages: [
        { role: 'user', text: 'Hi' },
        { role: 'assistant', text: 'Hello', metadata: known },
        { role: 'user', text: 'More' },
      ],
      turn: { text: 'More' },
      options: { ...options, system: 'Be brief', context: { page: 'x' }, body: { user_id: 'u', background: true } },
      sent: [
        {
          url: URL_,
          method: 'POST',
          body: {
            message: 'More',
            ...common,
            dependencies: '{"instructions":"Be brief","page":"x"}',
            add_dependencies_to_context: 'true',
            user_id: 'u',
            background: 'true',
          },
        },
      ],
    },
    {
      name: 'an approval, with the changed arguments',
      messages: asked(paused(toolToConfirm)),
      turn: { answers: [answer({ arguments: { city: 'Milan' } })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([{ ...toolToConfirm, confirmed: true, tool_args: { city: 'Milan' } }]),
          },
        },
      ],
    },
    {
      name: 'rule 89: changed arguments as JSON text',
      messages: asked(paused(toolToConfirm)),
      turn: { answers: [answer({ arguments: '{"city":"Milan"}' })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([{ ...toolToConfirm, confirmed: true, tool_args: { city: 'Milan' } }]),
          },
        },
      ],
    },
    ...[['Milan'], '["Milan"]', 'Milan', null].map((changed) => ({
      name: `rule 89: changed arguments that are no object do not allow the original call: ${JSON.stringify(changed)}`,
      messages: asked(paused(toolToConfirm)),
      turn: { answers: [answer({ arguments: changed })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([
              {
                ...toolToConfirm,
                confirmed: false,
                confirmation_note: 'The edited arguments are not a JSON object, so the call was not approved.',
              },
            ]),
          },
        },
      ],
    })),
    ...(
      [
        ['whose stored arguments are not the shown ones', { tool_args: { city: '*' } }, true],
        ['whose stored name is not the shown one', { tool_name: 'pay' }, true],
        ['that the stored run claims', { confirmed: true }, false],
      ] as const
    ).map(([name, stored, isAnswered]) => ({
      name: `rule 83: an approval ${name} is not sent`,
      messages: asked(paused({ ...toolToConfirm, ...stored })).map((message) =>
        message.role === 'assistant'
          ? { ...message, blocks: [shownQuestion(isAnswered ? 'granted' : 'denied')] }
          : message,
      ),
      turn: { answers: isAnswered ? [answer({})] : [answer({ extra: { requestId: 'other' } })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([{ ...toolToConfirm, ...stored, confirmed: false }]),
          },
        },
      ],
    })),
    {
      name: 'rule 83: an approval that only a stored question claims is not sent',
      messages: asked(paused({ ...toolToConfirm, confirmed: true })).map((message) =>
        message.role === 'assistant' ? { ...message, blocks: [shownQuestion('granted')] } : message,
      ),
      turn: { answers: [answer({ decision: 'denied', extra: { requestId: 'other' } })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: { session_id: 's', tools: JSON.stringify([{ ...toolToConfirm, confirmed: false }]) },
        },
      ],
    },
    {
      name: 'rule 83: a call that has run after its approval in an earlier round stays as the server has sent it',
      messages: asked(paused({ ...toolToConfirm, confirmed: true, result: 'Sun' })).map((message) =>
        message.role === 'assistant' ? { ...message, blocks: [shownQuestion('granted')] } : message,
      ),
      turn: { answers: [answer({ extra: { requestId: 'other' } })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([{ ...toolToConfirm, confirmed: true, result: 'Sun' }]),
          },
        },
      ],
    },
    {
      name: 'rule 83: values of a call that only the stored run claims are not sent as the user’s',
      messages: asked(
        paused(
          tool({ requires_user_input: true, user_input_schema: [{ name: 'city', field_type: 'str', value: 'Rome' }] }),
        ),
      ),
      turn: { answers: [answer({ decision: 'denied', extra: { requestId: 'other' } })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([
              {
                ...tool({
                  requires_user_input: true,
                  user_input_schema: [{ name: 'city', field_type: 'str', value: 'Rome' }],
                }),
                requires_confirmation: true,
                confirmed: false,
                confirmation_note: 'The user did not answer.',
              },
            ]),
          },
        },
      ],
    },
    ...(
      [
        ['the arguments', { content: 'weather {"city":"Rome"}' }, {}],
        ['the fields', { content: 'weather', extra: { requestId: 'c', schema: '{"type":"object"}' } }, {}],
        ['the call', { content: 'How do you like it?', extra: { requestId: 'c' } }, {}],
        ['the result', { content: 'weather', extra: { requestId: 'c' } }, { result: 'x' }],
        [
          'the arguments beside a choice',
          { content: 'Like it?', extra: { requestId: 'c', options: [{ label: 'Yes' }] } },
          { user_feedback_schema: [{ question: 'Like it?', options: [{ label: 'Yes' }] }] },
        ],
      ] as const
    ).map(([name, shown, stored]) => {
      const storedTool = tool({
        tool_args: { city: '*' },
        requires_user_input: true,
        user_input_schema: [
          { name: 'city', field_type: 'str', value: '*' },
          { name: 'note', field_type: 'str', value: null },
        ],
        ...stored,
      });
      return {
        name: `rule 83: a form that does not show ${name} of its stored call does not run it`,
        messages: asked(paused(storedTool)).map((message) =>
          message.role === 'assistant'
            ? {
                ...message,
                blocks: [{ id: 'b', type: 'action', action_type: 'question', status: 'granted', ...shown } as const],
              }
            : message,
        ),
        turn: { answers: [answer({ decision: 'answered', actionType: 'question', payload: { note: 'Thanks' } })] },
        options,
        sent: [
          {
            url: `${URL_}/r/continue`,
            method: 'POST',
            body: {
              session_id: 's',
              tools: JSON.stringify([
                {
                  ...storedTool,
                  requires_confirmation: true,
                  confirmed: false,
                  confirmation_note: 'The user did not answer.',
                },
              ]),
            },
          },
        ],
      };
    }),
    {
      name: 'rule 83: answers to the model’s questions that only the stored run claims are not sent as the user’s',
      messages: asked(
        paused(
          tool({
            tool_name: 'get_user_input',
            requires_user_input: true,
            user_input_schema: [{ name: 'ok', field_type: 'str', value: 'yes' }],
          }),
          tool({
            tool_name: 'ask_user',
            requires_user_input: true,
            user_feedback_schema: [{ question: 'Sure?', selected_options: ['Yes'] }],
          }),
        ),
      ),
      turn: { answers: [answer({ decision: 'denied', extra: { requestId: 'other' } })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([
              tool({
                tool_name: 'get_user_input',
                requires_user_input: true,
                user_input_schema: [{ name: 'ok', field_type: 'str', value: null }],
              }),
              tool({
                tool_name: 'ask_user',
                requires_user_input: true,
                user_feedback_schema: [{ question: 'Sure?', selected_options: [] }],
              }),
            ]),
          },
        },
      ],
    },
    {
      name: 'the choice of an option that the model asks for',
      messages: asked(
        paused(
          tool({
            tool_name: 'ask_user',
            requires_user_input: true,
            user_feedback_schema: [{ question: 'Sure?', options: [{ label: 'Yes' }] }],
          }),
        ),
      ),
      turn: { answers: [answer({ decision: 'answered', actionType: 'question', payload: 'Yes' })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([
              {
                ...tool({ tool_name: 'ask_user', requires_user_input: true, user_feedback_schema: [] }),
                user_feedback_schema: [{ question: 'Sure?', options: [{ label: 'Yes' }], selected_options: ['Yes'] }],
                answered: true,
              },
            ]),
          },
        },
      ],
    },
    ...(['granted', 'denied'] as const).map((decision) => ({
      name: `rule 83: an approval in a team’s requirement that was not asked for, with one that was ${decision}`,
      messages: asked({
        ...known,
        paused: {
          field: 'requirements',
          items: [
            {
              id: 'p',
              confirmation: true,
              tool_execution: tool({ requires_confirmation: true, tool_args: { city: '*' } }),
            },
            { id: 'q', confirmation: true, confirmation_note: 'Yes', tool_execution: toolToConfirm },
          ],
        },
      }),
      turn: { answers: [answer({ decision })] },
      options: { url: 'https://a.example/teams/desk/runs' },
      sent: [
        {
          url: 'https://a.example/teams/desk/runs/r/continue',
          method: 'POST',
          body: {
            session_id: 's',
            requirements: JSON.stringify([
              { id: 'p', tool_execution: tool({ requires_confirmation: true, tool_args: { city: '*' } }) },
              {
                id: 'q',
                tool_execution: { ...toolToConfirm, confirmed: decision === 'granted' },
                confirmation: decision === 'granted',
              },
            ]),
          },
        },
      ],
    })),
    {
      name: 'rule 83: of two calls with one id, the approval is that of the last one, which was shown',
      messages: asked(paused(tool({ requires_confirmation: true, tool_args: { city: '*' } }), toolToConfirm)),
      turn: { answers: [answer({})] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([
              tool({ requires_confirmation: true, tool_args: { city: '*' } }),
              { ...toolToConfirm, confirmed: true },
            ]),
          },
        },
      ],
    },
    {
      name: 'a denial with a note',
      messages: asked(paused(toolToConfirm)),
      turn: { answers: [answer({ decision: 'denied', note: 'No' })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([{ ...toolToConfirm, confirmed: false, confirmation_note: 'No' }]),
          },
        },
      ],
    },
    {
      name: 'the values of missing arguments',
      messages: asked(
        paused(tool({ requires_user_input: true, user_input_schema: [{ name: 'city', field_type: 'str' }] })),
      ),
      turn: { answers: [answer({ decision: 'answered', actionType: 'question', payload: { city: 'Rome' } })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([
              {
                ...tool({ requires_user_input: true, user_input_schema: [] }),
                user_input_schema: [{ name: 'city', field_type: 'str', value: 'Rome' }],
                answered: true,
              },
            ]),
          },
        },
      ],
    },
    {
      name: 'rule 84: a denial with a note, where the tool wants a boolean',
      messages: asked(
        paused(tool({ requires_user_input: true, user_input_schema: [{ name: 'ok', field_type: 'bool' }] })),
      ),
      turn: { answers: [answer({ decision: 'denied', actionType: 'question', note: 'Not now' })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([
              {
                ...tool({ requires_user_input: true, user_input_schema: [] }),
                user_input_schema: [{ name: 'ok', field_type: 'bool', value: false }],
                answered: true,
              },
            ]),
          },
        },
      ],
    },
    {
      name: 'rule 84: a text for two missing arguments is the reason why the tool does not run',
      messages: asked(
        paused(
          tool({
            requires_user_input: true,
            user_input_schema: [
              { name: 'from', field_type: 'str' },
              { name: 'to', field_type: 'str' },
            ],
          }),
        ),
      ),
      turn: { answers: [answer({ decision: 'answered', actionType: 'question', payload: 'No!' })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([
              {
                ...tool({ requires_user_input: true, user_input_schema: [] }),
                user_input_schema: [
                  { name: 'from', field_type: 'str', value: null },
                  { name: 'to', field_type: 'str', value: null },
                ],
                answered: true,
                requires_confirmation: true,
                confirmed: false,
                confirmation_note: 'No!',
              },
            ]),
          },
        },
      ],
    },
    {
      name: 'a skipped form, without which the tool does not run',
      messages: asked(
        paused(tool({ requires_user_input: true, user_input_schema: [{ name: 'city', field_type: 'str' }] })),
      ),
      turn: { answers: [answer({ decision: 'dismissed', actionType: 'question' })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([
              {
                ...tool({ requires_user_input: true, user_input_schema: [] }),
                user_input_schema: [{ name: 'city', field_type: 'str', value: null }],
                answered: true,
                requires_confirmation: true,
                confirmed: false,
                confirmation_note: 'The user did not answer.',
              },
            ]),
          },
        },
      ],
    },
    {
      name: 'a skipped question of the model, which reads that there is no answer',
      messages: asked(
        paused(
          tool({
            tool_name: 'get_user_input',
            requires_user_input: true,
            user_input_schema: [{ name: 'city', field_type: 'str' }],
          }),
        ),
      ),
      turn: { answers: [answer({ decision: 'dismissed', actionType: 'question' })] },
      options,
      sent: [
        {
          url: `${URL_}/r/continue`,
          method: 'POST',
          body: {
            session_id: 's',
            tools: JSON.stringify([
              {
                ...tool({ tool_name: 'get_user_input', requires_user_input: true, user_input_schema: [] }),
                user_input_schema: [{ name: 'city', field_type: 'str', value: null }],
                answered: true,
              },
            ]),
          },
        },
      ],
    },
    {
      name: 'the answer to a team’s question',
      messages: asked({
        ...known,
        paused: { field: 'requirements', items: [{ id: 'q', member_agent_id: 'm', tool_execution: toolToConfirm }] },
      }),
      turn: { answers: [answer({})] },
      options: { url: 'https://a.example/teams/desk/runs' },
      sent: [
        {
          url: 'https://a.example/teams/desk/runs/r/continue',
          method: 'POST',
          body: {
            session_id: 's',
            requirements: JSON.stringify([
              {
                id: 'q',
                member_agent_id: 'm',
                tool_execution: { ...toolToConfirm, confirmed: true },
                confirmation: true,
              },
            ]),
          },
        },
      ],
    },
    {
      name: 'a regenerated reply, if the server has stored the run',
      messages: [{ role: 'user', text: 'Hi' }],
      turn: {
        text: 'Hi',
        fork: { by: 'regenerate', reply: conversation({ role: 'assistant', text: 'Hello', metadata: known })[0]! },
      },
      options,
      answers: [{}],
      sent: [
        { url: `${URL_}/r?session_id=s`, method: 'GET' },
        { url: `${URL_}/r/continue`, method: 'POST', body: { regenerate: 'true', session_id: 's' } },
      ],
    },
  ]);

  it('sends a file as a form file, and the address of another one in its field', async () => {
    const messages = conversation({
      role: 'user',
      text: 'Look',
      attachments: [
        { kind: 'image', mimeType: 'image/png', name: 'a.png', data: btoa('x') },
        { kind: 'image', mimeType: 'image/png', url: 'https://b.example/b.png' },
      ],
    } as never);
    const { init } = await agno.request({ ...emptyTurn, text: 'Look', messages }, { ...requestOptions, ...options });
    const form = init.body as FormData;
    expect((form.get('files') as File | null)?.name).to.equal('a.png');
    expect(form.get('images')).to.equal('[{"url":"https://b.example/b.png"}]');
  });

  it('sends the message again if the server has not stored the run', async () => {
    const [reply] = conversation({ role: 'assistant', text: 'Hello', metadata: known });
    const turn = {
      ...emptyTurn,
      text: 'Hi',
      messages: conversation({ role: 'user', text: 'Hi' }),
      fork: { by: 'regenerate' as const, reply },
    };
    const ask = () => Promise.reject(new ChatError('agent', 'Not found', { reason: 'unexpected', status: 404 }));
    const { url } = await agno.request(turn, { ...requestOptions, ...options, ask });
    expect(url).to.equal(URL_);
  });

  it('resumes from the start a run that the server has stored', async () => {
    const messages = conversation(...asked({ ...known, resumable: true }));
    const resumed = await agno.resume?.({ ...emptyTurn, messages }, { ...requestOptions, ...options });
    expect([resumed?.from, resumed?.request.url]).to.deep.equal(['start', `${URL_}/r/resume`]);
    const fields = Object.fromEntries(resumed?.request.init.body as FormData);
    expect(fields).to.deep.equal({ session_id: 's' });
  });

  it('does not resume a run that ends with its connection', async () => {
    const messages = conversation(...asked(known));
    expect(await agno.resume?.({ ...emptyTurn, messages }, { ...requestOptions, ...options })).to.equal(undefined);
  });

  testCancel(agno, [
    {
      name: 'a running reply',
      messages: asked(known),
      options,
      sent: { url: `${URL_}/r/cancel?session_id=s`, method: 'POST' },
    },
    { name: 'a reply whose run is not known yet', messages: asked({}), options, sent: undefined },
  ]);
});
