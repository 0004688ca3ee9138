/** A conversation of two turns, with an image and a document, and with tools of the page, one of which fails. */
import type { ClientTool } from '../../../src/agents/tools.ts';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import type { LooseBlock } from '../../support/messages.ts';
import { PIXEL } from '../../support/pixel.ts';
import { realChat } from './real-chat.ts';
import type { Replay } from './replay-server.ts';

export const parameters = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] };

/** Every city has its weather, except Atlantis. */
const weather: ClientTool = {
  name: 'weather',
  description: 'The weather of a city',
  parameters,
  execute(args) {
    if (JSON.stringify(args).includes('Atlantis')) throw new Error('No such city.');
    return { sky: 'clear' };
  },
};

/** The tool's error: as it is sent to the server, and as the page throws it. */
export const CLEAR = '{"sky":"clear"}';
export const UNKNOWN_CITY = 'No such city.';

export const PDF = btoa('%PDF-1.4');
export { PIXEL };

/** Runs it against a server whose bodies are two calls, the answer, and the answer to the second question. */
export async function twoTurns(
  { origin, serve }: Replay,
  path: string,
  bodies: readonly string[],
): Promise<readonly string[]> {
  serve(...bodies);
  const { chat, errors } = realChat({
    endpoint: origin + path,
    protocol: 'auto',
    model: 'm',
    system: 'Be brief.',
    tools: [weather],
  });
  await chat.send({
    text: 'Where is this?',
    attachments: [
      { kind: 'image', data: PIXEL, mimeType: 'image/png', name: 'a.png' },
      { kind: 'file', data: PDF, mimeType: 'application/pdf', name: 'a.pdf' },
    ],
  });
  await chat.send('And then?');
  return errors.map(({ message }) => message);
}

/** A conversation from another provider, with reasoning that no other provider can use, and ids in its own format. */
const importedMessages: readonly MessageInput[] = [
  { role: 'user', text: 'Where is this?' },
  {
    role: 'assistant',
    blocks: [
      { type: 'reasoning_content', content: 'A tower.' },
      { type: 'content', content: 'I look.' },
      callBlock('functions.a:0', 'success', 'Lisbon', CLEAR),
      callBlock('functions.b:1', 'error', 'Atlantis', UNKNOWN_CITY),
      { type: 'content', content: 'Lisbon.' },
    ],
  },
];

function callBlock(id: string, status: 'success' | 'error', city: string, response: string): LooseBlock {
  return { type: 'tool_call', status, tool_call: { id, name: 'weather', params: JSON.stringify({ city }), response } };
}

/** Continues it. */
export async function turnAfterImport(
  { origin, serve }: Replay,
  path: string,
  body: string,
): Promise<readonly string[]> {
  serve(body);
  const { chat, errors } = realChat({ endpoint: origin + path, protocol: 'auto', model: 'm' });
  chat.messages = importedMessages;
  await chat.send('And then?');
  return errors.map(({ message }) => message);
}
