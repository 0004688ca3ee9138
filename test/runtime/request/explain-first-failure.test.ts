import { expect } from '@open-wc/testing';
import { makeChat } from '../support/make-chat.ts';
import { completionOf, status, stream } from '../support/scripted-server.ts';

/** The developer's console message, or else the error event of the page. */
const refusal = async (code: number, body: unknown, settings: object = {}): Promise<string> => {
  const { chat, told } = makeChat([status(code, JSON.stringify(body))], { protocol: 'auto', ...settings });
  const said: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => said.push(text);
  try {
    await chat.send('Hello');
  } finally {
    console.warn = warn;
  }
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

  it('has only the server’s message if the protocol is known', async () => {
    expect(await refusal(422, { detail: 'No such model' }, { protocol: 'openai-chat' })).to.equal(
      'The server answered 422: No such model',
    );
  });

  it('does not mention protocols if it is an access error', async () => {
    expect(await refusal(403, { detail: 'Go away' })).to.equal('The server answered 403: Go away');
  });
});
