/** A conversation of two turns, with a picture and a document, and with tools of the page of which one fails. */
import type { ClientTool } from '../../../src/agents/tools.ts';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import type { LooseBlock } from '../../support/messages.ts';
import { PIXEL } from '../../support/pixel.ts';
import { realChat } from './real-chat.ts';
import type { Replay } from './replay-server.ts';

export const parameters = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] };

/** Each city has its weather, but for Atlantis. */
const weather: ClientTool = {
  name: 'weather',
  description: 'The weather of a city',
  parameters,
  execute(args) {
    if (JSON.stringify(args).includes('Atlantis')) throw new Error('No such city.');
    return { sky: 'clear' };
  },
};

/** What the tool says: as it is sent back, and as an error. */
export const CLEAR = '{"sky":"clear"}';
export const UNKNOWN = 'No such city.';

export const PDF = btoa('%PDF-1.4');
export { PIXEL };

/** Plays it against a server whose bodies are two calls, the answer, and the answer to the second question. */
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

/** A conversation that another provider has led: with thoughts that are nobody else's, and ids in letters of its own. */
const foreign: readonly MessageInput[] = [
  { role: 'user', text: 'Where is this?' },
  {
    role: 'assistant',
    blocks: [
      { type: 'reasoning_content', content: 'A tower.' },
      { type: 'content', content: 'I look.' },
      callBlock('functions.a:0', 'success', 'Lisbon', CLEAR),
      callBlock('functions.b:1', 'error', 'Atlantis', UNKNOWN),
      { type: 'content', content: 'Lisbon.' },
    ],
  },
];

function callBlock(id: string, status: 'success' | 'error', city: string, response: string): LooseBlock {
  return { type: 'tool_call', status, tool_call: { id, name: 'weather', params: JSON.stringify({ city }), response } };
}

/** Goes on with it. */
export async function foreignTurn({ origin, serve }: Replay, path: string, body: string): Promise<readonly string[]> {
  serve(body);
  const { chat, errors } = realChat({ endpoint: origin + path, protocol: 'auto', model: 'm' });
  chat.messages = foreign;
  await chat.send('And then?');
  return errors.map(({ message }) => message);
}
