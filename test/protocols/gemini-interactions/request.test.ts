import { expect } from '@open-wc/testing';
import { adapter as geminiInteractions } from '../../../src/protocols/gemini-interactions/gemini-interactions.ts';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import { conversation } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import { testCancel, testSent } from '../../support/sent-tests.ts';
import { known } from './streams.ts';

const url = 'https://a.example/v1beta/interactions';
const options = { url, model: 'gemini-3.8-flash' };
const input = (text: string): object => ({ type: 'user_input', content: [{ type: 'text', text }] });
const weather = { name: 'weather', description: 'The weather', parameters: { type: 'object', properties: {} } };
const fn = { type: 'function', ...weather };
const reply: MessageInput = { role: 'assistant', text: 'Hello', metadata: known };

describe('gemini-interactions, requests', () => {
  testSent(geminiInteractions, [
    {
      name: 'the first message, with tools of the page and of Google',
      messages: [{ role: 'user', text: 'Hi' }],
      turn: { text: 'Hi' },
      options: { ...options, system: 'Be brief', tools: [weather], body: { tools: [{ type: 'google_search' }] } },
      sent: [
        {
          url,
          method: 'POST',
          body: {
            model: 'gemini-3.8-flash',
            input: [input('Hi')],
            stream: true,
            system_instruction: 'Be brief',
            tools: [fn, { type: 'google_search' }],
          },
        },
      ],
    },
    {
      name: 'the next message, after the stored interaction',
      messages: [{ role: 'user', text: 'Hi' }, reply, { role: 'user', text: 'More' }],
      turn: { text: 'More' },
      options,
      sent: [
        {
          url,
          method: 'POST',
          body: {
            model: 'gemini-3.8-flash',
            input: [input('More')],
            stream: true,
            previous_interaction_id: 'v1_a',
          },
        },
      ],
    },
    {
      name: 'an agent, whose model is its own',
      messages: [{ role: 'user', text: 'Hi' }],
      turn: { text: 'Hi' },
      options: { ...options, body: { agent: 'deep-research', background: true } },
      sent: [
        {
          url,
          method: 'POST',
          body: { input: [input('Hi')], stream: true, agent: 'deep-research', background: true },
        },
      ],
    },
    {
      name: 'the whole conversation, if the page does not let the server store it',
      messages: [{ role: 'user', text: 'Hi' }, reply, { role: 'user', text: 'More' }],
      turn: { text: 'More' },
      options: { ...options, body: { store: false } },
      sent: [
        {
          url,
          method: 'POST',
          body: {
            model: 'gemini-3.8-flash',
            input: [input('Hi'), { type: 'model_output', content: [{ type: 'text', text: 'Hello' }] }, input('More')],
            stream: true,
            store: false,
          },
        },
      ],
    },
    {
      name: 'what came after the last stored interaction, such as a reply that was stopped',
      messages: [
        { role: 'user', text: 'Hi' },
        reply,
        { role: 'user', text: 'More' },
        { role: 'assistant', text: 'Ye', metadata: { interactionId: 'v1_b' } },
        { role: 'user', text: 'Stop' },
      ],
      turn: { text: 'Stop' },
      options,
      sent: [
        {
          url,
          method: 'POST',
          body: {
            model: 'gemini-3.8-flash',
            input: [input('More'), { type: 'model_output', content: [{ type: 'text', text: 'Ye' }] }, input('Stop')],
            stream: true,
            previous_interaction_id: 'v1_a',
          },
        },
      ],
    },
  ]);

  it('sends the results of the page’s functions', async () => {
    const [question, called] = conversation(
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: '', metadata: { ...known, waitingCalls: ['c', 'd'] } },
    );
    const call = (id: string, status: 'success' | 'error', response: string) => ({
      id: `b-${id}`,
      type: 'tool_call' as const,
      status,
      timestamp: 1,
      tool_call: { id, name: 'weather', params: '{}', response },
    });
    const messages = [question!, { ...called!, blocks: [call('c', 'success', '20°'), call('d', 'error', 'No sky')] }];
    const { init } = await geminiInteractions.request({ ...emptyTurn, messages }, { ...requestOptions, ...options });
    const body = JSON.parse(await (init.body as Blob).text()) as { readonly input: unknown };
    expect(body.input).to.deep.equal([
      { type: 'function_result', call_id: 'c', name: 'weather', result: '20°' },
      { type: 'function_result', call_id: 'd', name: 'weather', result: 'No sky', is_error: true },
    ]);
  });

  it('resumes from the start', async () => {
    const messages = conversation({ role: 'user', text: 'Hi' }, reply);
    const resumed = await geminiInteractions.resume?.({ ...emptyTurn, messages }, { ...requestOptions, ...options });
    expect([resumed?.from, resumed?.request.url]).to.deep.equal(['start', `${url}/v1_a?stream=true`]);
  });

  testCancel(geminiInteractions, [
    {
      name: 'a running interaction',
      messages: [{ role: 'user', text: 'Hi' }, reply],
      options,
      sent: { url: `${url}/v1_a/cancel`, method: 'POST' },
    },
    { name: 'before the server has named it', messages: [{ role: 'user', text: 'Hi' }], options, sent: undefined },
  ]);
});
