/** @jsxImportSource solid-js */
/** What a page with Solid writes. */
import 'agent-chat-element/solid';
import type { JSX } from 'solid-js';

export const Page = (): JSX.Element => (
  <main>
    <agent-chat
      endpoint="/api/agent"
      image-hosts="self"
      class="support"
      prop:headers={() => ({ authorization: 'Bearer t' })}
      on:agent-chat-error={({ detail }) => {
        console.warn(detail.kind);
      }}
    />
    {/* @ts-expect-error: not one of the modes */}
    <agent-chat mode="flying" />
  </main>
);
