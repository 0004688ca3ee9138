import { expect } from '@open-wc/testing';
import { protocols } from '../../../src/protocols/registry.ts';
import { needsOf } from '../../../src/runtime/request/protocol-needs.ts';
import { warningsOf } from '../support/console-warnings.ts';
import { makeChat } from '../support/make-chat.ts';
import { completionOf, status, stream, unreachable } from '../support/scripted-server.ts';

/** The developer's console message, or else the error event of the page. */
const refusal = async (code: number, body: unknown, settings: object = {}): Promise<string> => {
  const { chat, told } = makeChat([status(code, JSON.stringify(body))], { protocol: 'auto', ...settings });
  const said = await warningsOf(() => chat.send('Hello'));
  return said[0] ?? told.errors[0]?.message ?? '';
};

describe('a refused first request', () => {
  it('reports what was sent, the server’s response and what to try', async () => {
    const said = await refusal(422, { detail: [{ loc: ['body', 'forwardedProps'], msg: 'Field required' }] });
    expect(said).to.contain('422');
    expect(said).to.contain('body.forwardedProps: Field required');
    expect(said).to.contain('"message":"Hello"');
    expect(said).to.contain('Candidates: ag-ui.');
  });

  it('sends each message with the id that AG-UI needs, also the page’s instructions', async () => {
    expect(await refusal(422, {}, { system: 'Be brief.' })).to.contain(
      '{"id":"system","role":"system","content":"Be brief.","parts":[{"type":"text","text":"Be brief.","content":"Be brief."}]}',
    );
  });

  it('lists the common protocols if the server gives no hint', async () => {
    expect(await refusal(404, { error: 'Not Found' })).to.contain(
      'Candidates: openai-chat, ai-sdk, ag-ui, langgraph, a2a.',
    );
  });

  it('first asks whether the address is right after a 404', async () => {
    expect(await refusal(404, {})).to.contain('Check the URL. If it is correct, set the attribute "protocol"');
    expect(await refusal(422, {})).not.to.contain('Check the URL');
  });

  it('names the protocol that was guessed from the address, then the others', async () => {
    const said = await refusal(404, { error: 'Not Found' }, { endpoint: '/v1/chat/completions' });
    expect(said).to.contain('guessed from the URL: openai-chat');
    expect(said).to.contain('Candidates: openai-chat, ai-sdk, ag-ui, langgraph, a2a.');
    const hinted = await refusal(422, { detail: 'assistant_id is missing' }, { endpoint: '/v1/chat/completions' });
    expect(hinted).to.contain('Candidates: openai-chat, langgraph, openai-assistants.');
  });

  it('is only explained until the protocol of the endpoint is known', async () => {
    const { chat, told } = makeChat([stream(completionOf('Hi')), status(404, '{"error":"Gone"}')], {
      protocol: 'auto',
      endpoint: '/v1/chat/completions',
    });
    await chat.send('Hello');
    await chat.send('More');
    expect(told.errors.map(({ message }) => message)).to.deep.equal(['The server answered 404: Gone']);
  });

  it('contains no secrets', async () => {
    const said = await refusal(
      400,
      { error: 'No key hunter2-hunter2' },
      { headers: { 'x-api-key': 'hunter2-hunter2' }, body: { key: 'hunter2-hunter2' } },
    );
    expect(said).not.to.contain('hunter2-hunter2');
  });

  it('says what a named protocol needs', async () => {
    const said = await refusal(422, { detail: 'No such model' }, { protocol: 'openai-chat' });
    expect(said).to.contain('in the protocol "openai-chat". Server message: No such model.');
    expect(said).to.contain('Request fields: stream, stream_options, messages');
    expect(said).to.contain('Set "model".');
    expect(said).not.to.contain('Hello');
    expect(said).to.contain('docs/protocols/openai-chat.md');
    expect(said).not.to.contain('Candidates');
  });

  it('says where a key belongs if it is an access error, and names no protocols', async () => {
    const said = await refusal(403, { detail: 'Go away' });
    expect(said).to.contain('Server message: Go away.');
    expect(said).to.contain('Set the key or the session in "headers".');
    expect(said).not.to.contain('Candidates');
  });

  it('shows the user of a named protocol the server’s message', async () => {
    const { chat, told } = makeChat([status(422, '{"detail":"No such model"}')], { protocol: 'openai-chat' });
    await chat.send('Hello');
    expect(told.errors.map(({ message }) => message)).to.deep.equal(['The server answered 422: No such model']);
  });

  it('lists the headers that another origin must allow', async () => {
    const { chat } = makeChat([unreachable], {
      endpoint: 'https://agent.example/chat',
      protocol: 'auto',
      headers: { authorization: 'Bearer k' },
    });
    const said = await warningsOf(() => chat.send('Hello'));
    expect(said[0]).to.contain(`"Access-Control-Allow-Origin: ${location.origin}"`);
    expect(said[0]).to.match(/"Access-Control-Allow-Headers: [^"]*authorization[^"]*content-type/);
    expect(said[0]).not.to.contain('Bearer');
  });

  it('says the same once', async () => {
    const { chat } = makeChat([status(422, '{"detail":"Once"}')], { protocol: 'rasa' });
    expect(
      await warningsOf(async () => {
        await chat.send('Hello');
        await chat.send('Hello');
      }),
    ).to.have.length(1);
  });

  it('has a sentence for every protocol', () => {
    for (const { id } of protocols.list()) expect(needsOf(id), id).to.match(/\. See docs\/protocols\/[\w-]+\.md\.$/);
  });
});
