/** Code snippets for a page, one for each framework. */
import manifest from '../package.json' with { type: 'json' };

export interface Snippet {
  readonly name: string;
  readonly code: string;
}

export interface SnippetOptions {
  readonly endpoint: string;
  readonly protocol: string | undefined;
  /** A protocol described as JSON. It is set as a property, or in a plain page as its configuration. */
  readonly mapping?: string | undefined;
  readonly agent: string | undefined;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** `cdn.example` is a placeholder for the location of the folder `dist/`. */
const moduleAddress = `https://cdn.example/agent-chat-element@${manifest.version}/dist/agent-chat.js`;

export function snippetsFor({ endpoint, protocol, mapping, agent }: SnippetOptions): readonly Snippet[] {
  const attributes = Object.entries({ endpoint, protocol, agent }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${escape(value)}"`],
  );
  const json = mapping?.replaceAll('<', '\\u003c');
  const tag = (property: string, inside = ''): string => {
    const all = json === undefined ? attributes : [...attributes, property];
    return `<agent-chat ${all.filter(Boolean).join(' ')}>${inside}</agent-chat>`;
  };
  /** The line that declares the mapping. */
  const declared = (begin: string): readonly string[] => (json === undefined ? [] : [`${begin} = ${json};`]);
  const config = json && `\n  <script type="application/json" slot="config">{"protocol": ${json}}</script>\n`;
  return [
    { name: 'HTML', code: `<script type="module" src="${moduleAddress}"></script>\n${tag('', config)}` },
    {
      name: 'React',
      code: [
        `import { AgentChat } from 'agent-chat-element/react';`,
        '',
        ...declared('const protocol'),
        `export const Chat = () => ${tag('protocol={protocol}').replace('<agent-chat', '<AgentChat').replace('></agent-chat>', ' />')};`,
      ].join('\n'),
    },
    {
      name: 'Vue',
      code: [
        '<script setup lang="ts">',
        `import 'agent-chat-element/vue';`,
        ...declared('const protocol'),
        '</script>',
        '',
        `<template>\n  ${tag(':protocol="protocol"')}\n</template>`,
      ].join('\n'),
    },
    {
      name: 'Svelte',
      code: [
        '<script lang="ts">',
        `  import 'agent-chat-element/svelte';`,
        ...declared('  const protocol'),
        '</script>',
        '',
        tag('{protocol}'),
      ].join('\n'),
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
        `  template: \`${tag('[protocol]="protocol"')}\`,`,
        `})`,
        ...(json === undefined ? [`export class Chat {}`] : [`export class Chat {`, ...declared('  protocol'), `}`]),
      ].join('\n'),
    },
  ];
}
