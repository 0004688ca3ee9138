import type { LLMAgentEventData } from '../../model/agent-events.ts';

/** The event that shows A2UI messages in a block. `id` is the id of the block: the newest messages replace the earlier. */
export const surfaceData = (messages: readonly unknown[], id: string): Pick<LLMAgentEventData, 'ui' | 'data_id'> => ({
  ui: { kind: 'a2ui', messages },
  data_id: id,
});
