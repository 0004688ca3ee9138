import { expect } from '@open-wc/testing';
import { makeChat } from './support/make-chat.ts';
import { completionOf, status, stream } from './support/scripted-server.ts';

const refusal = async (code: number, body: unknown, settings: object = {}): Promise<string> => {
  const { chat, told } = makeChat([status(code, JSON.stringify(body))], { protocol: 'auto', ...settings });
  await chat.send('Hello');
  return told.errors[0]?.message ?? '';
};

describe('a first request that is refused', () => {
  it('shows what was sent, what the server said and what to try', async () => {
    const said = await refusal(422, { detail: [{ loc: ['body', 'forwardedProps'], msg: 'Field required' }] });
    expect(said).to.contain('422');
    expect(said).to.contain('body.forwardedProps: Field required');
    expect(said).to.contain('"message":"Hello"');
    expect(said).to.contain('worth trying: ag-ui.');
  });

  it('has given every message the id that AG-UI needs, also the instructions of the page', async () => {
    expect(await refusal(422, {}, { system: 'Be brief.' })).to.contain(
      '{"id":"system","role":"system","content":"Be brief.","parts":[{"type":"text","text":"Be brief."}]}',
    );
  });

  it('names the common protocols where the server gives no hint', async () => {
    expect(await refusal(404, { error: 'Not Found' })).to.contain(
      'worth trying: openai-chat, ai-sdk, ag-ui, langgraph, a2a.',
    );
  });

  it('asks first whether the address is right, where nothing is found there', async () => {
    expect(await refusal(404, {})).to.contain(
      'Is there an agent at this address? If there is, set the attribute "protocol"',
    );
    expect(await refusal(422, {})).not.to.contain('at this address');
  });

  it('names the protocol that the address made it take the server for, and then the others', async () => {
    const said = await refusal(404, { error: 'Not Found' }, { endpoint: '/v1/chat/completions' });
    expect(said).to.contain('taken for openai-chat');
    expect(said).to.contain('worth trying: openai-chat, ai-sdk, ag-ui, langgraph, a2a.');
    const hinted = await refusal(422, { detail: 'assistant_id is missing' }, { endpoint: '/v1/chat/completions' });
    expect(hinted).to.contain('worth trying: openai-chat, langgraph, openai-assistants.');
  });

  it('is one only as long as nothing is known of the endpoint', async () => {
    const { chat, told } = makeChat([stream(completionOf('Hi')), status(404, '{"error":"Gone"}')], {
      protocol: 'auto',
      endpoint: '/v1/chat/completions',
    });
    await chat.send('Hello');
    await chat.send('More');
    expect(told.errors.map(({ message }) => message)).to.deep.equal(['The server answered 404: Gone']);
  });

  it('keeps secrets to itself', async () => {
    const said = await refusal(
      400,
      { error: 'No key hunter2-hunter2' },
      { headers: { 'x-api-key': 'hunter2-hunter2' }, body: { key: 'hunter2-hunter2' } },
    );
    expect(said).not.to.contain('hunter2-hunter2');
  });

  it('says no more than the server where the protocol is known', async () => {
    expect(await refusal(422, { detail: 'No such model' }, { protocol: 'openai-chat' })).to.equal(
      'The server answered 422: No such model',
    );
  });

  it('is no matter of protocols when it is one of access', async () => {
    expect(await refusal(403, { detail: 'Go away' })).to.equal('The server answered 403: Go away');
  });
});
