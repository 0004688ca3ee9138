import { expect } from '@open-wc/testing';
import {
  createStreamEvent as create,
  isErrorEvent,
  isImageDataEvent,
  isRateLimitEvent,
  isReasoningEvent,
  isStopEvent,
  isTextEvent,
  isToolCallChunkEvent,
  isToolCallEndEvent,
  isToolCallStartEvent,
  isUsageEvent,
  type LLMCoreStreamEvent,
  type StreamEventType,
} from '../../../src/model/events/core-events.ts';
import { llmCoreStreamEvent, stopReason } from '../../../src/model/events/core-event-schema.ts';

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const image = { data: 'AAAA', mimeType: 'image/png' };
const limit = { providerId: 'p', qpsLimit: 1, currentQps: 2, queueLength: 3, estimatedWaitTime: 4 };

interface Row {
  readonly made: LLMCoreStreamEvent;
  readonly event: object;
  readonly guard: (event: LLMCoreStreamEvent) => boolean;
}

const rows: Readonly<Record<StreamEventType, Row>> = {
  text: { made: create.text('a'), event: { type: 'text', content: 'a' }, guard: isTextEvent },
  reasoning: {
    made: create.reasoning('a'),
    event: { type: 'reasoning', reasoning_content: 'a' },
    guard: isReasoningEvent,
  },
  tool_call_start: {
    made: create.toolCallStart('t', 'f'),
    event: { type: 'tool_call_start', tool_call_id: 't', tool_call_name: 'f' },
    guard: isToolCallStartEvent,
  },
  tool_call_chunk: {
    made: create.toolCallChunk('t', '{'),
    event: { type: 'tool_call_chunk', tool_call_id: 't', tool_call_arguments_chunk: '{' },
    guard: isToolCallChunkEvent,
  },
  tool_call_end: {
    made: create.toolCallEnd('t', '{}'),
    event: { type: 'tool_call_end', tool_call_id: 't', tool_call_arguments_complete: '{}' },
    guard: isToolCallEndEvent,
  },
  error: { made: create.error('a'), event: { type: 'error', error_message: 'a' }, guard: isErrorEvent },
  usage: { made: create.usage(usage), event: { type: 'usage', usage }, guard: isUsageEvent },
  stop: { made: create.stop('complete'), event: { type: 'stop', stop_reason: 'complete' }, guard: isStopEvent },
  image_data: {
    made: create.imageData(image),
    event: { type: 'image_data', image_data: image },
    guard: isImageDataEvent,
  },
  rate_limit: {
    made: create.rateLimit(limit),
    event: { type: 'rate_limit', rate_limit: limit },
    guard: isRateLimitEvent,
  },
};
const all = Object.entries(rows);
/** Every field there is, each with a value that its own member takes. */
const allFields = Object.assign({}, ...all.map(([, { event }]) => event)) as Record<string, unknown>;

describe('core events', () => {
  for (const [type, { made, event, guard }] of all) {
    it(`${type}: its factory makes it`, () => {
      expect(made).to.deep.equal(event);
    });

    it(`${type}: its guard knows it and no other`, () => {
      expect(all.filter(([, other]) => guard(other.made)).map(([name]) => name)).to.deep.equal([type]);
    });

    it(`${type}: its schema drops the fields of the others`, () => {
      expect(llmCoreStreamEvent.parse({ ...allFields, foreign: 1, ...event })).to.deep.equal(event);
    });

    for (const field of Object.keys(event).filter((name) => name !== 'tool_call_arguments_complete')) {
      it(`${type}: without ${field} it is none`, () => {
        expect(llmCoreStreamEvent.safeParse({ ...event, [field]: undefined }).success).to.equal(false);
      });
    }
  }

  it('tool_call_end goes without the whole arguments', () => {
    expect(create.toolCallEnd('t')).to.deep.equal({ type: 'tool_call_end', tool_call_id: 't' });
    expect(llmCoreStreamEvent.safeParse(create.toolCallEnd('t')).success).to.equal(true);
  });

  it('tool_call_end with empty arguments says so', () => {
    expect(create.toolCallEnd('t', '')).to.have.property('tool_call_arguments_complete', '');
  });

  it('a rate limit goes without a wait', () => {
    const { estimatedWaitTime: _none, ...short } = limit;
    expect(llmCoreStreamEvent.parse(create.rateLimit(short))).to.deep.equal({ type: 'rate_limit', rate_limit: short });
  });

  for (const reason of ['tool_use', 'max_tokens', 'stop_sequence', 'error', 'complete'] as const) {
    it(`stops for ${reason}`, () => {
      expect(stopReason.parse(reason)).to.equal(reason);
    });
  }

  for (const type of ['permission', 'plan', 'toString', '__proto__', '']) {
    it(`does not know the type "${type}"`, () => {
      expect(llmCoreStreamEvent.safeParse({ type, content: 'a' }).success).to.equal(false);
    });
  }
});
