import { expect } from '@open-wc/testing';
import { adapter as dify } from '../../../src/protocols/dify/dify.ts';
import { toDifyMedia } from '../../../src/protocols/dify/reply-schema.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call, failure, text, thought as thinking, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { end, event, flow, flowKnown, known, say, stream, thought } from './streams.ts';

const remote = { extra: { remote: true } };
const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: known,
  ...more,
  blocks,
});
const failed = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields =>
  done(blocks, { status: 'error', finish: 'error', ...more });
const steps = (...names: readonly string[]): ExpectedFields => ({
  type: 'status',
  phase: names.at(-1),
  message: names.at(-1),
  extra: { steps: names.map((name) => ({ phase: name, message: name })) },
});
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const ask = { form_id: 'f', form_token: 'tok', form_content: 'Sure?', actions: [{ id: 'yes', title: 'Yes' }] };
const asked = (extra: ExpectedFields): ExpectedFields => ({
  type: 'action',
  status: 'pending',
  action_type: 'confirmation',
  content: 'Sure?',
  extra,
});
const sound = btoa('ab');

describe('dify', () => {
  testRecordings(dify, 'dify');

  testBodies(dify, [
    {
      name: 'pings between the text',
      body: `event: ping\n\n${stream(say('Hi'))}event: ping\n\n${stream(end())}`,
      messages: [done([text('Hi')])],
    },
    {
      name: 'tokens at the end',
      body: stream(say('Hi'), end({ usage: { ...usage, total_price: '0.1' } })),
      messages: [done([text('Hi')], { usage })],
    },
    {
      name: 'an agent’s text',
      body: stream(event('agent_message', { answer: 'Hi' }), end()),
      messages: [done([text('Hi')])],
    },
    {
      name: 'no end: interrupted',
      body: stream(say('Hi')),
      messages: [done([text('Hi')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'a moderated answer replaces the complete text, and keeps calls',
      body: stream(
        say('Bad'),
        thought('a', { tool: 'f', tool_input: '{}', observation: 'ok' }),
        say(' words'),
        event('message_replace', { answer: 'Sorry.' }),
        end(),
      ),
      messages: [done([text('Sorry.'), call('a', 'f', { params: '{}', response: 'ok' }, remote)])],
    },
    {
      name: 'reasoning between tags',
      body: stream(say('<thi'), say('nk>Hm</think>\n\nYes'), end()),
      messages: [done([thinking('Hm'), text('Yes')])],
    },
    {
      name: 'reasoning in a details element',
      body: stream(
        say('<details style="color:gray" open> <summary> Thin'),
        say('king... </summary>\nHm\n</det'),
        say('ails>\n\nYes'),
        end(),
      ),
      messages: [done([thinking('Hm'), text('Yes')])],
    },
    {
      name: 'another details element is text',
      body: stream(say('See <details><summary>More</summary>x</details>'), end()),
      messages: [done([text('See <details><summary>More</summary>x</details>')])],
    },
    {
      name: 'separate reasoning, from new servers',
      body: stream(event('reasoning_chunk', { data: { reasoning: 'Hm', is_final: false } }), say('Yes'), end()),
      messages: [done([thinking('Hm'), text('Yes')])],
    },
    {
      name: 'reasoning that was not sent as text',
      body: stream(
        thought('a', { thought: 'I look it up.' }),
        thought('a', { thought: 'I look it up.' }),
        say('Yes'),
        end(),
      ),
      messages: [done([thinking('I look it up.'), text('Yes')])],
    },
    {
      name: 'two parallel tools, with their inputs and outputs',
      body: stream(
        thought('a', { tool: 'f;g', tool_input: '{"f":{"x":1},"g":{"y":2}}', observation: '' }),
        thought('a', { tool: 'f;g', tool_input: '{"f":{"x":1},"g":{"y":2}}', observation: '{"f":"one","g":{"n":2}}' }),
        say('Yes'),
        end(),
      ),
      messages: [
        done([
          call('a:f', 'f', { params: '{"x":1}', response: 'one' }, remote),
          call('a:g', 'g', { params: '{"y":2}', response: '{"n":2}' }, remote),
          text('Yes'),
        ]),
      ],
    },
    {
      name: 'a tool with an empty result has not failed',
      body: stream(thought('a', { tool: 'f', tool_input: '{}', observation: '' }), say('Yes'), end()),
      messages: [done([call('a', 'f', { params: '{}' }, remote), text('Yes')])],
    },
    {
      name: 'files: the agent’s, once each; not the user’s own',
      body: stream(
        event('message_file', { id: '1', type: 'image', belongs_to: 'user', url: 'https://b.example/mine.png' }),
        event('message_file', { id: '2', type: 'image', belongs_to: 'assistant', url: 'https://b.example/cat.png' }),
        event('message_end', {
          files: [
            { type: 'image', url: 'https://b.example/cat.png' },
            {
              type: 'document',
              remote_url: 'https://b.example/x.pdf',
              filename: 'x.pdf',
              mime_type: 'application/pdf',
            },
          ],
        }),
      ),
      messages: [
        done([
          { type: 'image', url: 'https://b.example/cat.png' },
          { type: 'file', url: 'https://b.example/x.pdf', name: 'x.pdf', mimeType: 'application/pdf' },
        ]),
      ],
    },
    {
      name: 'audio after the end of the message',
      body: stream(
        say('Hi'),
        event('tts_message', { audio: sound }),
        end(),
        event('tts_message', { audio: sound }),
        event('tts_message_end', { audio: '' }),
      ),
      messages: [done([text('Hi'), { type: 'audio', data: btoa('abab'), mimeType: 'audio/mpeg' }])],
    },
    {
      name: 'audio that never ends',
      body: stream(say('Hi'), event('tts_message', { audio: sound }), end()),
      messages: [done([text('Hi'), { type: 'audio', data: sound, mimeType: 'audio/mpeg' }])],
    },
    {
      name: 'a workflow’s text, and its steps',
      body: stream(
        flow('workflow_started', { id: 'w' }),
        flow('node_started', { id: 'n', title: 'Look up' }),
        flow('text_chunk', { text: 'H' }),
        flow('text_chunk', { text: 'i' }),
        flow('workflow_finished', { status: 'succeeded', outputs: { text: 'Hi' }, total_tokens: 9 }),
      ),
      messages: [
        done([steps('Look up'), text('Hi')], {
          metadata: flowKnown,
          usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 9 },
        }),
      ],
    },
    {
      name: 'a workflow’s piece of text without its field',
      body: stream(
        flow('text_chunk', {}),
        flow('text_chunk', { text: 'Hi' }),
        flow('workflow_finished', { status: 'succeeded' }),
      ),
      messages: [done([text('Hi')], { metadata: flowKnown })],
    },
    {
      name: 'a workflow’s text that is replaced',
      body: stream(
        flow('text_chunk', { text: 'Bad' }),
        flow('text_replace', { text: 'Good' }),
        flow('workflow_finished', { status: 'succeeded' }),
      ),
      messages: [done([text('Good')], { metadata: flowKnown })],
    },
    {
      name: 'a workflow that only has a result',
      body: stream(flow('workflow_finished', { status: 'succeeded', outputs: { summary: 'Short.' } })),
      messages: [done([text('Short.')], { metadata: flowKnown })],
    },
    {
      name: 'a result that is data',
      body: stream(flow('workflow_finished', { status: 'succeeded', outputs: { a: 1, b: [2] } })),
      messages: [
        done([{ type: 'data', data: { data_type: 'custom', data: { a: 1, b: [2] } } }], { metadata: flowKnown }),
      ],
    },
    {
      name: 'a failed workflow, which is reported twice',
      body: stream(
        event('workflow_finished', { data: { status: 'failed', error: 'Boom' } }),
        event('error', { status: 500, code: 'internal_server_error', message: 'Internal Server Error' }),
      ),
      messages: [failed([failure('Boom')])],
    },
    {
      name: 'a stopped workflow',
      body: stream(flow('text_chunk', { text: 'Ha' }), flow('workflow_finished', { status: 'stopped' })),
      messages: [done([text('Ha')], { status: 'cancelled', finish: 'cancelled', metadata: flowKnown })],
    },
    {
      name: 'an error without a name',
      body: stream(say('Ha'), { code: 'app_unavailable', message: 'Gone', status: 400 }),
      messages: [failed([text('Ha'), failure('Gone', { code: 'app_unavailable' })])],
    },
    {
      name: 'an error after text that might have become a tag',
      body: stream(say('1 <'), { code: 'app_unavailable', message: 'Gone', status: 400 }),
      messages: [failed([text('1 <'), failure('Gone', { code: 'app_unavailable' })])],
    },
    {
      name: 'a form: its text without field placeholders, its buttons',
      body: stream(
        event('human_input_required', {
          workflow_run_id: 'w',
          data: { ...ask, form_content: 'Sure? {{#$output.comment#}}', resolved_default_values: { a: 'b' } },
        }),
        event('workflow_paused', { data: {} }),
      ),
      messages: [
        done(
          [
            asked({
              formToken: 'tok',
              needsChoice: false,
              runId: 'w',
              requestId: 'f',
              options: [{ label: 'Yes', value: 'yes' }],
              schema:
                '{"type":"object","properties":{"action":{"enum":["yes"]},"inputs":{"type":"object","properties":{}}}}',
            }),
          ],
          { status: 'streaming', finish: 'tool_use', metadata: { ...known, workflowRunId: 'w' } },
        ),
      ],
    },
    {
      name: 'rule 83: a form with the defaults of its fields, which its card shows',
      body: stream(
        event('human_input_required', {
          workflow_run_id: 'w',
          data: {
            ...ask,
            inputs: ['c', 'd', 'e'].map((name) => ({ type: 'paragraph', output_variable_name: name })),
            resolved_default_values: { c: 'x', d: 3, unseen: 'y' },
          },
        }),
        event('workflow_paused', { data: {} }),
      ),
      messages: [
        done(
          [
            {
              ...asked({
                formToken: 'tok',
                needsChoice: true,
                runId: 'w',
                requestId: 'f',
                options: [{ label: 'Yes', value: 'yes' }],
                schema:
                  '{"type":"object","properties":{"action":{"enum":["yes"]},"inputs":{"type":"object","properties":' +
                  '{"c":{"type":"string","default":"x"},"d":{"type":"string","default":"3"},"e":{"type":"string"}}}}}',
              }),
              action_type: 'question',
            },
          ],
          { status: 'streaming', finish: 'tool_use', metadata: { ...known, workflowRunId: 'w' } },
        ),
      ],
    },
    {
      name: 'a form that is submitted elsewhere',
      body: stream(
        say('Wait.'),
        event('human_input_required', { data: { ...ask, display_in_ui: false } }),
        event('workflow_paused', { data: {} }),
      ),
      messages: [done([text('Wait.')], { finish: 'tool_use' })],
    },
    {
      name: 'a form that is submitted elsewhere, without any text',
      body: stream(
        event('human_input_required', { data: { ...ask, display_in_ui: false } }),
        event('workflow_paused', { data: {} }),
      ),
      messages: [failed([failure('The workflow waits for an answer that is given outside of this chat.')])],
    },
    {
      name: 'a chat whose answer is only at the end of its workflow',
      body: stream(event('workflow_finished', { data: { status: 'succeeded', outputs: { answer: 'Hi' } } }), end()),
      messages: [done([text('Hi')])],
    },
    {
      name: 'a chat whose answer is repeated at the end of its workflow',
      body: stream(
        say('Hi'),
        event('workflow_finished', { data: { status: 'succeeded', outputs: { answer: 'Hi' } } }),
        end(),
      ),
      messages: [done([text('Hi')])],
    },
    {
      name: 'a reply that was not streamed',
      body: JSON.stringify(event('message', { mode: 'chat', answer: 'Hi', metadata: { usage } })),
      messages: [done([text('Hi')], { usage })],
    },
    {
      name: 'a workflow that was not streamed',
      body: JSON.stringify({
        task_id: 't',
        workflow_run_id: 'w',
        data: { status: 'succeeded', outputs: { text: 'Hi' } },
      }),
      messages: [done([text('Hi')], { metadata: flowKnown })],
    },
    {
      name: 'each unknown event is one warning, each malformed one too',
      body: stream(say('a'), event('dream'), event('message', { answer: {} })) + `data: {"event"\n\n${stream(end())}`,
      messages: [done([text('a')], {})],
      warnings: ['malformed', 'unknown'],
    },
  ]);

  for (const url of ['#x', '  ', '/files/a.pdf'])
    it(`rule 22: the address of a file has no query of the endpoint: ${JSON.stringify(url)}`, () => {
      const file = toDifyMedia(
        { type: 'document', url, filename: 'a.pdf' },
        'https://a.example/v1/chat-messages?api_key=KEY',
      );
      expect(file?.url)
        .to.match(/^https:\/\/a\.example\//)
        .and.not.to.contain('KEY');
    });

  testNeverThrows(dify, [
    say('<think>x'),
    say('<details open> <summary>Thinking</summary>x</details>'),
    event('agent_message', { answer: 'x' }),
    thought('a', { thought: 'x', tool: 'f;g', tool_input: '{"f":{}}', observation: '{"f":1}' }),
    event('message_file', { id: '1', type: 'image', belongs_to: 'assistant', url: 'u' }),
    end({ usage, retriever_resources: [{ position: 1, document_id: 'd', document_name: 'n', content: 'q' }] }),
    event('message_replace', { answer: 'x' }),
    event('tts_message', { audio: sound }),
    event('tts_message_end', { audio: '' }),
    event('node_started', { data: { id: 'n', title: 'T' } }),
    event('agent_log', { data: { id: 'n', label: 'L', status: 'start' } }),
    flow('text_chunk', { text: 'x' }),
    flow('text_replace', { text: 'x' }),
    event('reasoning_chunk', { data: { reasoning: 'x' } }),
    flow('workflow_finished', { status: 'succeeded', outputs: { a: 'x' }, files: [{ url: 'u' }], total_tokens: 3 }),
    flow('workflow_paused', { reasons: [] }),
    event('human_input_required', {
      data: { ...ask, inputs: [{ type: 'paragraph', output_variable_name: 'c' }], resolved_default_values: { c: 'x' } },
    }),
    event('error', { status: 400, code: 'c', message: 'm' }),
  ]);

  testDetection('dify', {
    own: {
      'a chat': stream(say('Hi'), end()),
      'a ping in front': `event: ping\n\n${stream(say('Hi'))}`,
      'a workflow': stream(flow('workflow_started', { id: 'w' })),
      'an error in front': stream(event('error', { message: 'x' }), say('Hi')),
      'a reply that was not streamed': JSON.stringify(event('message', { answer: 'Hi' })),
    },
    others: {
      'Flowise, which has no task': [stream({ event: 'token', data: 'x' }), 'flowise'],
      'a name that is none of its own': [stream(event('constructor')), 'unsupported-stream'],
    },
    urls: [
      'https://api.dify.ai/v1/chat-messages',
      'https://a.example/v1/completion-messages/',
      'https://a.example/v1/workflows/run',
    ],
    otherUrls: ['https://a.example/v1/workflows/run/7', 'https://a.example/messages'],
  });
});
