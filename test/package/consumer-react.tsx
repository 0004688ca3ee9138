/** What a page with React writes: the component, a component for a block, and the element itself. */
import { AgentChat, type AgentChatProps, type ReactBlockProps } from 'agent-chat-element/react';
import type { ReactNode } from 'react';

function Table({ block, act }: ReactBlockProps<'data'>): ReactNode {
  return (
    <button
      onClick={() => {
        act('sort');
      }}
    >
      {block.data.data_type}
    </button>
  );
}

const settings: AgentChatProps = { endpoint: '/api/agent', showTools: 'hidden' };

export const page = (
  <main>
    <AgentChat
      {...settings}
      mode="floating"
      className="support"
      headers={() => ({ authorization: 'Bearer t' })}
      onAgentChatError={({ detail }) => {
        console.warn(detail.kind);
      }}
      blocks={[{ type: 'data', component: Table }]}
    >
      <b slot="header-end">Beta</b>
    </AgentChat>
    {/* @ts-expect-error: not one of the modes */}
    <AgentChat mode="flying" />
    {/* @ts-expect-error: a call of a tool is no data */}
    <AgentChat blocks={[{ type: 'tool_call', component: Table }]} />
    <agent-chat endpoint="/api/agent" density="compact" />
  </main>
);
