import { expect } from '@open-wc/testing';
import { protocols } from '../../../src/protocols/registry.ts';
import { needsOf } from '../../../src/runtime/request/protocol-needs.ts';
import { warningsOf } from '../support/console-warnings.ts';
import { lines, makeChat } from '../support/make-chat.ts';
import { completionOf, status, stream, unreachable } from '../support/scripted-server.ts';

/** The developer's console message, or else the error event of the page. */
const refusal = async (code: number, body: unknown, settings: object = {}): Promise<string> => {
  const { chat, told } = makeChat([status(code, JSON.stringify(body))], { protocol: 'auto', ...settings });
  const said = await warningsOf(() => chat.send('Hello'));
  return said[0] ?? told.errors[0]?.message ?? '';
};

describe('a refused first request', () => {
  it('reports the fields that were sent, the server’s response and what to try', async () => {
    const said = await refusal(422, { detail: [{ loc: ['body', 'forwardedProps'], msg: 'Field required' }] });
    expect(said).to.contain('422');
    expect(said).to.contain('body.forwardedProps: Field required');
    expect(said).to.match(/Request fields: .*\bmessage\b.*\. Set/);
    expect(said).to.contain('Candidates: ag-ui.');
  });

  it('names the fields of the request, and shows none of their values', async () => {
    for (const code of [400, 404, 422]) {
      const said = await refusal(code, { error: 'Refused' }, { system: 'Be brief.', body: { tenant: 'Harbor' } });
      expect(said)
        .to.contain('tenant')
        .and.not.to.match(/Hello|Be brief|Harbor/);
    }
  });

  it('sends each message with the id that AG-UI needs, also the page’s instructions', async () => {
    const { chat, server } = makeChat([status(422, '{}')], { protocol: 'auto', system: 'Be brief.' });
    await warningsOf(() => chat.send('Hello'));
    expect(JSON.stringify(server.bodies[0])).to.contain(
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

  for (const code of [400, 415, 422]) {
    it(`${String(code)} shows the user that the page is set up wrongly`, async () => {
      const { chat } = makeChat([status(code, '{}')], { protocol: 'auto' });
      await warningsOf(() => chat.send('Hello'));
      expect(lines(chat).at(-1)).to.equal('assistant error: error: first-contact');
    });
  }

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

  it('keeps the server’s code for the page', async () => {
    const { chat, told } = makeChat([status(422, '{"error":{"message":"No such model","code":"model_missing"}}')], {
      protocol: 'auto',
    });
    await warningsOf(() => chat.send('Hello'));
    expect(told.errors[0]).to.include({ code: 'model_missing' });
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

  const required = (...names: readonly string[]) => ({
    detail: names.map((name) => ({ loc: ['body', ...name.split('.')], msg: 'Field required' })),
  });
  const refusals: readonly (readonly [protocol: string, from: string, body: unknown, sent: string])[] = [
    ['message-field', 'FastAPI', required('models', 'type', 'project_id', 'custom_tools'), 'custom_tools'],
    ['message-field', 'a server with few options', required('project_id', 'speed_mode'), 'speed_mode'],
    ['message-field', 'a server with one option', required('use_browser_use_test_mode', 'project_id'), 'project_id'],
    [
      'agentscope-msg',
      'FastAPI',
      {
        detail: [
          { loc: ['body', 'messages', 0, 'name'], msg: 'Field required' },
          {
            loc: ['body', 'messages', 0, 'role'],
            msg: "Input should be 'SYSTEM', 'USER', 'ASSISTANT' or 'TOOL'",
          },
          { loc: ['body', 'messages', 0, 'content'], msg: 'Input should be a valid list' },
        ],
      },
      'messages[0].name',
    ],
    [
      'agentscope-msg',
      'Jackson',
      {
        status: 400,
        error: 'Bad Request',
        message:
          'JSON parse error: Cannot deserialize value of type `java.util.ArrayList<com.example.ContentBlock>` from String value ' +
          '(through reference chain: com.example.Request["messages"]->java.util.ArrayList[0]->com.example.Msg["content"])',
      },
      'messages[0].content[0].text',
    ],
    [
      'deepchat-events',
      'FastAPI',
      required('messages.0.type', 'messages.0.metadata', 'messages.0.timestamp'),
      'messages[0].content.text',
    ],
    [
      'deepchat-events',
      'Zod',
      {
        error: {
          name: 'ZodError',
          message: JSON.stringify(
            ['type', 'content', 'metadata', 'timestamp'].map((name) => ({
              code: 'invalid_type',
              path: ['messages', 0, name],
              message: 'Invalid input',
            })),
            null,
            2,
          ),
        },
      },
      'messages[0].content.text',
    ],
    [
      'message-field',
      'Zod',
      { error: ['models', 'project_id'].map((name) => ({ code: 'invalid_type', path: [name], message: 'Required' })) },
      'custom_tools',
    ],
  ];
  for (const [protocol, from, body, sent] of refusals) {
    it(`is sent again in the form of ${protocol} when ${from} names its fields`, async () => {
      const { chat, told, server } = makeChat([status(422, JSON.stringify(body)), stream(completionOf('Hi'))], {
        protocol: 'auto',
        endpoint: `/own-form-${protocol}-${from}`,
      });
      const said = await warningsOf(() => chat.send('Hello'));
      expect(server.bodies).to.have.length(2);
      expect(server.bodies[1]).to.have.nested.property(sent);
      expect(said[0]).to.contain(`Set protocol="${protocol}"`);
      expect(told.errors).to.deep.equal([]);
      expect(chat.messages.map(({ status: state }) => state)).to.deep.equal(['complete', 'complete']);
    });
  }

  it('is sent again once only, and not after a status that does not say that nothing was done', async () => {
    const refused = JSON.stringify(required('models', 'project_id'));
    const requests = async (code: number): Promise<number> => {
      const answers = [status(code, refused), status(code, refused), stream(completionOf('Hi'))];
      const { chat, server } = makeChat(answers, { protocol: 'auto', endpoint: `/own-form-refused-${String(code)}` });
      await warningsOf(() => chat.send('Hello'));
      return server.asked.length;
    };
    expect(await requests(422)).to.equal(2);
    expect(await requests(409)).to.equal(1);
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
