import { expect } from '@open-wc/testing';
import type { LLMAgentEventData } from '../../../src/model/events/agent-events.ts';
import { maskErrors } from '../../../src/runtime/masking/mask-errors.ts';

const SENT = ['Bearer my-own-long-token'];
const LEAK = 'You sent Bearer my-own-long-token.';
const maskResponse = (data: Omit<LLMAgentEventData, 'eventId'>): unknown => {
  const event = maskErrors({ type: 'response', data: { eventId: 'r', ...data } }, SENT);
  const { eventId: _id, ...masked } = event.data as LLMAgentEventData;
  return masked;
};

describe('an error that repeats what was sent', () => {
  it('is masked, with its values', () => {
    const event = maskErrors(
      { type: 'error', data: { eventId: 'r', error: LEAK, code: LEAK, values: { detail: LEAK, status: 500 } } },
      SENT,
    );
    expect(event.data).to.deep.equal({
      eventId: 'r',
      error: 'You sent ***.',
      code: 'You sent ***.',
      values: { detail: 'You sent ***.', status: 500 },
    });
  });

  it('is masked in a failed call', () => {
    expect(maskResponse({ tool_call: 'error', tool_call_response: LEAK })).to.deep.equal({
      tool_call: 'error',
      tool_call_response: 'You sent ***.',
    });
    expect(maskResponse({ tool_call: 'end', tool_call_error: { message: LEAK } })).to.deep.equal({
      tool_call: 'end',
      tool_call_error: { message: 'You sent ***.' },
    });
  });

  it('is left to the renderer in a result: the page gets what the tool has returned', () => {
    const result = { tool_call: 'end', tool_call_response: LEAK } as const;
    expect(maskResponse(result)).to.deep.equal(result);
    expect(maskResponse({ content: LEAK })).to.deep.equal({ content: LEAK });
  });
});
