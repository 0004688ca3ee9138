import { expect } from '@open-wc/testing';
import type { LLMAgentEvent } from '../../src/model/events/agent-events.ts';
import { createStreamEvent as core } from '../../src/model/events/core-events.ts';
import type { AdapterEvent } from '../../src/protocols/core/adapter.ts';
import { toAgentEvent } from '../../src/protocols/to-agent-event.ts';
import { bareMessage, call, failure, text, thought, type ExpectedFields } from '../support/bare.ts';
import { response } from '../support/events.ts';
import { playEvents } from '../support/play-body.ts';

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const image = { data: 'AA', mimeType: 'image/png' };
const limit = { providerId: 'p', qpsLimit: 1, currentQps: 2, queueLength: 3 };

const rows: readonly { readonly name: string; readonly event: AdapterEvent; readonly lifted: LLMAgentEvent }[] = [
  { name: 'text → content', event: core.text('a'), lifted: response({ content: 'a' }) },
  { name: 'reasoning → reasoning_content', event: core.reasoning('a'), lifted: response({ reasoning_content: 'a' }) },
  {
    name: 'tool_call_start → start',
    event: core.toolCallStart('t', 'f'),
    lifted: response({ tool_call: 'start', tool_call_id: 't', tool_call_name: 'f' }),
  },
  {
    name: 'tool_call_chunk → arguments, appended',
    event: core.toolCallChunk('t', '{'),
    lifted: response({ tool_call: 'update', tool_call_id: 't', tool_call_params: '{' }),
  },
  {
    name: 'tool_call_end only ends the arguments',
    event: core.toolCallEnd('t'),
    lifted: response({ tool_call: 'running', tool_call_id: 't' }),
  },
  {
    name: 'tool_call_end with complete arguments replaces the chunks',
    event: core.toolCallEnd('t', '{}'),
    lifted: response({ tool_call: 'running', tool_call_id: 't', tool_call_params_complete: '{}' }),
  },
  {
    name: 'error → error',
    event: core.error('boom'),
    lifted: { type: 'error', data: { eventId: 'e', error: 'boom' } },
  },
  { name: 'usage → statistics', event: core.usage(usage), lifted: response({ totalUsage: usage }) },
  { name: 'stop → the finish reason', event: core.stop('max_tokens'), lifted: response({ finish: 'max_tokens' }) },
  { name: 'image_data → image', event: core.imageData(image), lifted: response({ image_data: image }) },
  { name: 'rate_limit → action', event: core.rateLimit(limit), lifted: response({ rate_limit: limit }) },
];

describe('toAgentEvent()', () => {
  for (const { name, event, lifted } of rows) {
    it(name, () => {
      expect(toAgentEvent(event, 'e')).to.deep.equal(lifted);
    });
  }

  it('passes an agent’s event on unchanged', () => {
    const event = response({ content: 'a' });
    expect(toAgentEvent(event, 'other')).to.equal(event);
  });

  it('does not mistake a name that the page has added to every object for an agent’s event', () => {
    Object.defineProperty(Object.prototype, 'data', { value: undefined, configurable: true });
    try {
      expect(toAgentEvent(core.text('a'), 'e')).to.deep.equal(response({ content: 'a' }));
    } finally {
      Reflect.deleteProperty(Object.prototype, 'data');
    }
  });

  it('makes blocks of a complete reply; a call stays loading, since no core event carries a result', () => {
    const events = [
      core.reasoning('Hm'),
      core.text('Wait.'),
      core.toolCallStart('t', 'f'),
      core.toolCallChunk('t', '{"a"'),
      core.toolCallChunk('t', ':1}'),
      core.toolCallEnd('t', '{"a":2}'),
      core.toolCallStart('u', 'g'),
      core.toolCallEnd('u'),
      core.usage(usage),
      core.error('boom'),
      core.stop('tool_use'),
    ].map((event) => toAgentEvent(event, 'e'));
    const run = playEvents(events);
    const expected: readonly ExpectedFields[] = [
      {
        status: 'streaming',
        usage,
        blocks: [
          thought('Hm'),
          text('Wait.'),
          call('t', 'f', { params: '{"a":2}' }, { status: 'loading' }),
          call('u', 'g', {}, { status: 'loading' }),
          failure('boom'),
        ],
      },
    ];
    expect(run.messages.map(bareMessage)).to.deep.equal(expected);
    expect(run.finish).to.equal('tool_use');
  });
});
