import type { Description } from './widget.ts';

/** Settings of the page that are independent of the controls. */
const TEXTS: Readonly<Record<string, string>> = {
  heading: 'Harbor',
  placeholder: 'Ask about refunds or payouts',
};

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The HTML of the widget with its current settings. */
export function snippetOf({ attributes, css, script }: Description): string {
  const usedAttributes = Object.entries({ ...attributes, ...TEXTS }).filter(([, value]) => value !== '');
  const styles = Object.entries(css).filter(([, value]) => value !== '');
  const lines = [
    '<script type="module" src="https://cdn.example/agent-chat-element/dist/agent-chat.js"></script>',
    '',
    '<agent-chat',
    ...usedAttributes.map(([name, value]) => `  ${name}="${escape(value)}"`),
    '></agent-chat>',
  ];
  if (styles.length > 0) {
    lines.push(
      '',
      '<style>',
      '  agent-chat {',
      ...styles.map(([name, value]) => `    ${name}: ${value};`),
      '  }',
      '</style>',
    );
  }
  if (script.length > 0) {
    lines.push(
      '',
      '<script type="module">',
      "  import { AgentChat } from 'agent-chat-element';",
      "  const chat = document.querySelector('agent-chat');",
      ...script.map((line) => `  ${line}`),
      '</script>',
    );
  }
  return lines.join('\n');
}
