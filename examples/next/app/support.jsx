'use client';

import { AgentChat } from 'agent-chat-element/react';
import { usePathname } from 'next/navigation';
import { useState } from 'react';

export function Support() {
  const page = usePathname();
  const [books, setBooks] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setBooks(books + 1)}>
        Books in the basket: {books}
      </button>
      <AgentChat
        endpoint="/api/agent"
        heading="Ask us"
        imageHosts="self"
        context={() => ({ page, books })}
        onAgentChatError={({ detail }) => console.warn(detail.kind, detail.message)}
      />
    </>
  );
}
