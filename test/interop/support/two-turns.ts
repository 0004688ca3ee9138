/** A conversation of two turns, with a picture and a document, and with tools of the page of which one fails. */
import type { ClientTool } from '../../../src/agents/tools.ts';
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
  return errors.map(({ error }) => error.message);
}
