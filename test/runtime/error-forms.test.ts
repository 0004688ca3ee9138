/** The text that the user sees for an error, in each form that servers use. */
import { expect } from '@open-wc/testing';
import { ndjson, sse } from '../support/play-body.ts';
import { makeChat } from './support/make-chat.ts';
import { status, stream } from './support/scripted-server.ts';

const STACK = 'Error: Boom\n    at run (file:///srv/agent.js:10:5)';
const rows: readonly { readonly name: string; readonly protocol: string; readonly body: string }[] = [
  {
    name: 'JSON with a stack',
    protocol: 'ai-sdk',
    body: sse({ type: 'error', errorText: JSON.stringify({ message: 'Boom', stack: STACK }) }),
  },
  {
    name: 'JSON with a stack',
    protocol: 'ai-sdk-v4',
    body: `3:${JSON.stringify(JSON.stringify({ message: 'Boom', stack: STACK }))}\n`,
  },
  { name: 'a stack', protocol: 'ag-ui', body: sse({ type: 'RUN_ERROR', message: STACK.replace('Error: ', '') }) },
  { name: 'a code and a message', protocol: 'json', body: '{"error":"invalid_request","message":"Boom now"}' },
  { name: 'nested objects', protocol: 'json', body: '{"error":{"error":{"message":"Boom"}}}' },
  {
    name: 'a field of its own',
    protocol: 'auto',
    body: `error: ${JSON.stringify({ error: { status: 'INTERNAL', message: 'Boom', details: STACK } })}\n\n`,
  },
  { name: 'a line', protocol: 'ollama', body: ndjson({ error: JSON.stringify({ error: { message: 'Boom' } }) }) },
  { name: 'JSON', protocol: 'openai-chat', body: sse({ error: { message: '{"detail":"Boom"}' } }) },
];

describe('an error of the server', () => {
  for (const { name, protocol, body } of rows) {
    it(`${protocol}: ${name} is shown as its message`, async () => {
      const { chat, told } = makeChat([stream(body)], { protocol });
      const answer = await chat.send('Hi');
      const shown = answer.blocks.map((block) => `${block.type}: ${'content' in block ? (block.content ?? '') : ''}`);
      expect(shown).to.have.length(1);
      expect(shown[0]).to.match(/^error: Boom(?: now)?$/);
      expect(answer.status).to.equal('error');
      expect(told.errors).to.have.length(1);
    });
  }

  it('without a message is shown as one sentence', async () => {
    const { chat } = makeChat([stream(sse({ type: 'error', errorText: '{"code":7}' }))], { protocol: 'ai-sdk' });
    const [block] = (await chat.send('Hi')).blocks;
    expect(block).to.include({ type: 'error', content: 'The agent reported an error.' });
  });

  it('in the first request with auto: the user sees the message, the console has the details', async () => {
    const said: string[] = [];
    const { warn } = console;
    console.warn = (text: string) => said.push(text);
    try {
      const body = JSON.stringify({ error: 'invalid_request', message: 'Missing method field', stack: STACK });
      const { chat, told } = makeChat([status(404, body)], { protocol: 'auto' });
      const [block] = (await chat.send('A secret question')).blocks;
      expect(block).to.include({ type: 'error', content: 'Missing method field' });
      expect(JSON.stringify([block, told.errors[0]?.message])).not.to.match(/A secret question|Candidates|agent\.js/);
    } finally {
      console.warn = warn;
    }
    expect(said.join('\n')).to.contain('Request fields: ').and.to.contain('Candidates');
    expect(said.join('\n')).not.to.contain('A secret question');
  });
});

describe('a reply that can’t be parsed', () => {
  for (const { protocol, body } of [
    { protocol: 'ai-sdk', body: sse({ type: 'start' }, { type: 'text-delta', id: 1 }, { type: 'finish' }) },
    {
      protocol: 'agent-session',
      body: sse({ type: 'content' }, { type: 'session_end', data: { status: 'completed' } }),
    },
  ]) {
    it(`${protocol}: is not complete`, async () => {
      const { chat, told } = makeChat([stream(body)], { protocol });
      expect((await chat.send('Hi')).status).to.equal('error');
      expect(told.errors.map(({ kind }) => kind)).to.include('protocol');
    });
  }
});
