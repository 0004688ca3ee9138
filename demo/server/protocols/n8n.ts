/**
 * n8n's chat trigger: lines of JSON with the content type of a single document. Each agent is a node. Source:
 * `docs/protocols/n8n.md`.
 */
import { play, streamChunks, type Protocol } from '../play.ts';

export const n8n: Protocol = {
  contentType: 'application/json; charset=utf-8',
  broken: '{"type":"item","content":"a line that was cut\n',
  keepsHistory: true,

  async answer(exchange) {
    const { wire } = exchange;
    let node = { nodeId: 'harbor', nodeName: 'Harbor' };
    let open = false;
    const send = (type: string, rest: object = {}): Promise<boolean> => {
      const metadata = { ...node, itemIndex: 0, runIndex: 0, timestamp: Date.now() };
      return wire.send(`${JSON.stringify({ type, ...rest, metadata })}\n`);
    };
    const begin = async (): Promise<void> => {
      if (!open) await send('begin');
      open = true;
    };
    const end = async (): Promise<void> => {
      if (open) await send('end');
      open = false;
    };

    await play(exchange, {
      async text({ text }) {
        await begin();
        await streamChunks(text, exchange, (content) => send('item', { content }));
      },
      async speaker({ name }) {
        await end();
        node = { nodeId: name.toLowerCase(), nodeName: name };
      },
      async error({ message: content }) {
        await begin();
        await send('error', { content });
        open = false;
      },
    });
    await end();
    await wire.end();
  },
};
