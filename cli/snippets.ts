/** Code snippets for a page, one for each framework. */
import manifest from '../package.json' with { type: 'json' };

export interface Snippet {
  readonly name: string;
  readonly code: string;
}

export interface SnippetOptions {
  readonly endpoint: string;
  readonly protocol: string | undefined;
  readonly agent: string | undefined;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** `cdn.example` is a placeholder for the location of the folder `dist/`. */
const moduleAddress = `https://cdn.example/agent-chat-element@${manifest.version}/dist/agent-chat.js`;

export function snippetsFor({ endpoint, protocol, agent }: SnippetOptions): readonly Snippet[] {
  const attributes = Object.entries({ endpoint, protocol, agent }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${escape(value)}"`],
  );
  const tag = `<agent-chat ${attributes.join(' ')}></agent-chat>`;
  return [
    { name: 'HTML', code: `<script type="module" src="${moduleAddress}"></script>\n${tag}` },
    {
      name: 'React',
      code: `import { AgentChat } from 'agent-chat-element/react';\n\nexport const Chat = () => <AgentChat ${attributes.join(' ')} />;`,
    },
    {
      name: 'Vue',
      code: `<script setup lang="ts">\nimport 'agent-chat-element/vue';\n</script>\n\n<template>\n  ${tag}\n</template>`,
    },
    {
      name: 'Svelte',
      code: `<script lang="ts">\n  import 'agent-chat-element/svelte';\n</script>\n\n${tag}`,
    },
    {
      name: 'Angular',
      code: [
        `import { Component, CUSTOM_ELEMENTS_SCHEMA } from '@angular/core';`,
        `import 'agent-chat-element/define';`,
        ``,
        `@Component({`,
        `  selector: 'app-chat',`,
        `  schemas: [CUSTOM_ELEMENTS_SCHEMA],`,
        `  template: \`${tag}\`,`,
        `})`,
        `export class Chat {}`,
      ].join('\n'),
    },
  ];
}
