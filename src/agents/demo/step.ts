import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';

/** An event of the script and its delay after the previous step, in milliseconds. */
export interface Step {
  readonly wait: number;
  readonly output: Omit<LLMAgentEventData, 'eventId'> | { readonly failure: string };
}

export const step = (output: Step['output'], wait = 250): Step => ({ output, wait });

/** Splits a text into one step per word, as a model streams it. */
export const textSteps = (text: string): readonly Step[] =>
  (text.match(/\S+\s*/g) ?? []).map((content) => step({ content }, 24));

export const reasoningSteps = (text: string, stage: string): readonly Step[] =>
  (text.match(/\S+\s*/g) ?? []).map((reasoning_content) => step({ reasoning_content, stage }, 24));

interface Call {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly arguments: object;
  readonly summary?: string;
  readonly progress?: readonly string[];
  readonly result?: object;
  readonly failure?: string;
}

/** The steps of a tool call, from its first argument to its result. */
export function toolCallSteps({ id, name, description, summary, progress = [], ...details }: Call): readonly Step[] {
  const tool = { tool_call_id: id, tool_call_name: name } as const;
  const chunks = JSON.stringify(details.arguments).match(/.{1,12}/g) ?? [];
  return [
    step({ ...tool, tool_call: 'start', tool_call_params: '', tool_call_description: description }),
    ...chunks.map((tool_call_params) => step({ ...tool, tool_call: 'update', tool_call_params }, 30)),
    ...progress.map((message, index) =>
      step({
        ...tool,
        tool_call: 'running',
        tool_call_progress: { value: (index + 1) / (progress.length + 1), message },
      }),
    ),
    details.failure === undefined
      ? step({
          ...tool,
          tool_call: 'end',
          tool_call_response: JSON.stringify(details.result ?? {}),
          ...(summary !== undefined && { tool_call_summary: summary }),
        })
      : step({ ...tool, tool_call: 'error', tool_call_error: { message: details.failure } }),
  ];
}

/** Converts the steps to agent events and appends the end event. */
export function toEvents(steps: readonly Step[], eventId: string): readonly { wait: number; event: LLMAgentEvent }[] {
  const events = steps.map(({ wait, output }) => ({
    wait,
    event:
      'failure' in output
        ? ({ type: 'error', data: { eventId, error: output.failure, recoverable: true } } as const)
        : ({ type: 'response', data: { eventId, ...output } } as const),
  }));
  return [...events, { wait: 0, event: { type: 'end', data: { eventId, userStop: false } } }];
}
