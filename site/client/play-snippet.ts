import type { PlaySettings } from './play-settings.ts';

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const attribute = (name: string, value: string): string => (value === '' ? name : `${name}="${escape(value)}"`);

/** Returns the HTML of the current widget. */
export function snippetOf({ source, endpoint, protocol, attributes, accent }: PlaySettings, playing: string): string {
  const named = source === 'ours' ? playing : protocol;
  const { debug: _debug, ...kept } = attributes;
  const given = {
    endpoint: source === 'endpoint' && endpoint ? endpoint : '/api/agent',
    ...(named !== 'auto' && { protocol: named }),
    ...kept,
    ...(accent !== undefined && { style: `--agent-chat-accent: ${accent}` }),
  };
  return [
    '<script type="module" src="https://cdn.example/agent-chat-element/dist/agent-chat.js"></script>',
    '<agent-chat',
    ...Object.entries(given).map(([name, value]) => `  ${attribute(name, value)}`),
    '></agent-chat>',
  ].join('\n');
}
