import { AgentChat, type ReactBlockProps } from 'agent-chat-element/react';
import { useState } from 'react';

/** Shows what the agent sends as data of its own: a component like any other, with a state of its own. */
function Order({ block }: ReactBlockProps<'data'>) {
  const [liked, setLiked] = useState(false);
  return (
    <button type="button" className="order" aria-pressed={liked} onClick={() => setLiked(!liked)}>
      {JSON.stringify(block.data.data)} {liked ? '♥' : '♡'}
    </button>
  );
}

export function App() {
  const [page, setPage] = useState('Shop');
  const [books, setBooks] = useState(0);
  return (
    <>
      <nav>
        {['Shop', 'About'].map((name) => (
          <button key={name} type="button" onClick={() => setPage(name)}>
            {name}
          </button>
        ))}
      </nav>
      <h1>{page}</h1>
      {page === 'Shop' && (
        <button type="button" onClick={() => setBooks(books + 1)}>
          Books in the basket: {books}
        </button>
      )}
      {/* Beside the pages, not inside of one: so it is the same on each of them. */}
      <AgentChat
        endpoint="/api/agent"
        heading="Ask us"
        imageHosts="self"
        suggestions={['Where is my order?']}
        context={() => ({ page, books })}
        onAgentChatError={({ detail }) => console.warn(detail.kind, detail.message)}
        blocks={[{ type: 'data', component: Order }]}
      />
    </>
  );
}
