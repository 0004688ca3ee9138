import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';

/** What is said, and how long after the step before it, in milliseconds. */
export interface Step {
  readonly wait: number;
  readonly say: Omit<LLMAgentEventData, 'eventId'> | { readonly failure: string };
}

export const step = (say: Step['say'], wait = 250): Step => ({ say, wait });

/** A text word by word, as a model says it. */
export const words = (text: string): readonly Step[] =>
  (text.match(/\S+\s*/g) ?? []).map((content) => step({ content }, 24));

export const thought = (text: string, stage: string): readonly Step[] =>
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

/** A call of a tool from its first argument to its result. */
export function call({ id, name, description, summary, progress = [], ...told }: Call): readonly Step[] {
  const tool = { tool_call_id: id, tool_call_name: name } as const;
  const pieces = JSON.stringify(told.arguments).match(/.{1,12}/g) ?? [];
  return [
    step({ ...tool, tool_call: 'start', tool_call_params: '', tool_call_description: description }),
    ...pieces.map((tool_call_params) => step({ ...tool, tool_call: 'update', tool_call_params }, 30)),
    ...progress.map((message, index) =>
      step({
        ...tool,
        tool_call: 'running',
        tool_call_progress: { value: (index + 1) / (progress.length + 1), message },
      }),
    ),
    told.failure === undefined
      ? step({
          ...tool,
          tool_call: 'end',
          tool_call_response: JSON.stringify(told.result ?? {}),
          ...(summary !== undefined && { tool_call_summary: summary }),
        })
      : step({ ...tool, tool_call: 'error', tool_call_error: { message: told.failure } }),
  ];
}

/** The steps as an agent's events, the end behind them. */
export function toEvents(steps: readonly Step[], eventId: string): readonly { wait: number; event: LLMAgentEvent }[] {
  const said = steps.map(({ wait, say }) => ({
    wait,
    event:
      'failure' in say
        ? ({ type: 'error', data: { eventId, error: say.failure, recoverable: true } } as const)
        : ({ type: 'response', data: { eventId, ...say } } as const),
  }));
  return [...said, { wait: 0, event: { type: 'end', data: { eventId, userStop: false } } }];
}
