import { expect } from '@open-wc/testing';
import { ChatError } from '../../../src/errors.ts';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import type { Answer, WireRequest } from '../../../src/protocols/core/adapter.ts';
import { adapter as eve } from '../../../src/protocols/eve/eve.ts';
import { conversation } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import { testCancel, testSent } from '../../support/sent-tests.ts';

const url = 'https://a.example/eve/v1/session';
const options = { url };
const known = { sessionId: 's', firstEvent: 0, nextEvent: 9 };
const hi: MessageInput = { role: 'user', text: 'Hi' };
const reply: MessageInput = { role: 'assistant', text: 'Hello', metadata: known };
const answer = (more: Partial<Answer>): Answer => ({
  decision: 'granted',
  blockId: 'b',
  actionType: 'tool_call_permission',
  extra: { requestId: 'q', approve: 'approve', deny: 'deny' },
  ...more,
});

const question = (more: Partial<Answer>): Answer => answer({ decision: 'answered', actionType: 'question', ...more });

describe('eve, requests', () => {
  testSent(eve, [
    {
      name: 'the first message makes the session, whose stream is read from its start',
      messages: [hi],
      turn: { text: 'Hi' },
      options: { url: 'https://a.example/', system: 'Be brief', context: { page: 'x' }, body: { outputSchema: {} } },
      answers: [{ ok: true, sessionId: 's' }],
      sent: [
        {
          url,
          method: 'POST',
          body: { message: 'Hi', clientContext: ['Be brief', '{"page":"x"}'], outputSchema: {} },
        },
        { url: `${url}/s/stream?startIndex=0`, method: 'GET' },
      ],
    },
    {
      name: 'the next message goes to the session, whose stream is read from where it was left',
      messages: [hi, reply, { role: 'user', text: 'More' }],
      turn: { text: 'More' },
      options: { url: 'https://a.example/eve/v1/session/s' },
      answers: [{ ok: true, deliveryId: 'd' }],
      sent: [
        { url: `${url}/s`, method: 'POST', body: { message: 'More' } },
        { url: `${url}/s/stream?startIndex=9`, method: 'GET' },
      ],
    },
    {
      name: 'an approval',
      messages: [hi, reply],
      turn: { answers: [answer({})] },
      options,
      answers: [{ ok: true, deliveryId: 'd' }],
      sent: [
        { url: `${url}/s`, method: 'POST', body: { inputResponses: [{ requestId: 'q', optionId: 'approve' }] } },
        { url: `${url}/s/stream?startIndex=9`, method: 'GET' },
      ],
    },
    ...(
      [
        ['a denial, whose stored option approves', { decision: 'denied' }, {}, { optionId: 'deny' }],
        ['an approval, whose stored option denies', {}, {}, { optionId: 'approve' }],
        [
          'the answer to a question with the options of an approval',
          { decision: 'answered', actionType: 'question', payload: 'Nice' },
          { options: [{ label: 'Nice', value: 'Nice' }] },
          { text: 'Nice' },
        ],
        [
          'an option that denies by its label and approves by its id',
          { decision: 'answered', actionType: 'question', payload: 'approve' },
          { optionIds: 'approve\ndeny', options: [{ label: 'Reject', value: 'approve' }] },
          { text: 'Reject' },
        ],
        [
          'an imported option, whose id nobody has seen',
          { decision: 'answered', actionType: 'question', payload: 'approve' },
          { options: [{ label: 'Nein', value: 'approve' }] },
          { text: 'Nein' },
        ],
      ] as const
    ).map(([name, given, extra, response]) => ({
      name: `rule 84: ${name}`,
      messages: [hi, reply],
      turn: {
        answers: [answer({ ...given, extra: { requestId: 'q', approve: 'deny', deny: 'approve', ...extra } })],
      },
      options,
      answers: [{ ok: true }],
      sent: [
        { url: `${url}/s`, method: 'POST', body: { inputResponses: [{ requestId: 'q', ...response }] } },
        { url: `${url}/s/stream?startIndex=9`, method: 'GET' },
      ],
    })),
    {
      name: 'a denial, and the answers to two questions',
      messages: [hi, reply],
      turn: {
        answers: [
          answer({ decision: 'denied' }),
          question({ payload: 'fri', extra: { requestId: 'r', optionIds: 'thu\nfri' } }),
          question({ payload: 'Later', extra: { requestId: 't', optionIds: 'thu\nfri' } }),
        ],
      },
      options,
      answers: [{ ok: true }],
      sent: [
        {
          url: `${url}/s`,
          method: 'POST',
          body: {
            inputResponses: [
              { requestId: 'q', optionId: 'deny' },
              { requestId: 'r', optionId: 'fri' },
              { requestId: 't', text: 'Later' },
            ],
          },
        },
        { url: `${url}/s/stream?startIndex=9`, method: 'GET' },
      ],
    },
    {
      name: 'an address of another form is that of the sessions',
      messages: [hi],
      turn: { text: 'Hi' },
      options: { url: 'https://a.example/api/agent?key=k' },
      answers: [{ sessionId: 's' }],
      sent: [
        { url: 'https://a.example/api/agent?key=k', method: 'POST', body: { message: 'Hi' } },
        { url: 'https://a.example/api/agent/s/stream?key=k&startIndex=0', method: 'GET' },
      ],
    },
  ]);

  it('sends files as parts of the message', async () => {
    const asked: WireRequest[] = [];
    const messages = conversation({
      role: 'user',
      text: 'Look',
      attachments: [{ kind: 'file', mimeType: 'text/plain', name: 'a.txt', data: btoa('x') }],
    } as never);
    const ask = (request: WireRequest) => {
      asked.push(request);
      return Promise.resolve({ headers: new Headers(), json: { sessionId: 's' } });
    };
    await eve.request({ ...emptyTurn, text: 'Look', messages }, { ...requestOptions, url, ask });
    expect(asked[0]?.init.body).to.deep.equal({
      message: [
        { type: 'text', text: 'Look' },
        { type: 'file', mediaType: 'text/plain', filename: 'a.txt', data: `data:text/plain;base64,${btoa('x')}` },
      ],
    });
  });

  it('makes a new session if the old one has expired', async () => {
    const asked: string[] = [];
    const ask = ({ url: address }: WireRequest) => {
      asked.push(address);
      return asked.length === 1
        ? Promise.reject(new ChatError('http', 'Gone', { reason: 'refused', status: 409, code: 'session_not_active' }))
        : Promise.resolve({ headers: new Headers(), json: { sessionId: 'new' } });
    };
    const messages = conversation(hi, reply, { role: 'user', text: 'More' });
    const sent = await eve.request({ ...emptyTurn, text: 'More', messages }, { ...requestOptions, url, ask });
    expect(asked).to.deep.equal([`${url}/s`, url]);
    expect(sent.url).to.equal(`${url}/new/stream?startIndex=0`);
  });

  it('answers belong to the message that asked: they have no delivery of their own', async () => {
    const json = { ok: true, deliveryId: 'd' };
    const ask = () => Promise.resolve({ headers: new Headers(), json });
    const sent = async (given: object): Promise<unknown> =>
      (
        await eve.request(
          { ...emptyTurn, messages: conversation(hi, reply), ...given },
          { ...requestOptions, url, ask },
        )
      ).providerState;
    expect(await sent({ answers: [answer({})] })).to.deep.equal({ sessionId: 's', start: 9 });
    expect(await sent({ text: 'More' })).to.deep.equal({ sessionId: 's', start: 9, deliveryId: 'd' });
  });

  it('does not send the message again where only the stream has failed', async () => {
    const providerState = { sessionId: 's', start: 9, deliveryId: 'd' };
    const sent = await eve.request(
      { ...emptyTurn, text: 'Hi', messages: conversation(hi) },
      { ...requestOptions, url, providerState },
    );
    expect([sent.url, sent.providerState]).to.deep.equal([`${url}/s/stream?startIndex=9`, providerState]);
  });

  it('resumes from the start of the reply', async () => {
    const metadata = { sessionId: 's', firstEvent: 4, nextEvent: 9, deliveryId: 'd' };
    const messages = conversation(hi, { role: 'assistant', text: 'He', metadata });
    const resumed = await eve.resume?.({ ...emptyTurn, messages }, { ...requestOptions, url });
    expect([resumed?.from, resumed?.request.url]).to.deep.equal(['start', `${url}/s/stream?startIndex=4`]);
    expect(resumed?.request.providerState).to.deep.include({ deliveryId: 'd', start: 4 });
  });

  testCancel(eve, [
    {
      name: 'a running reply',
      messages: [hi, reply],
      options,
      sent: { url: `${url}/s/cancel`, method: 'POST', body: {} },
    },
    { name: 'before the session is known', messages: [hi], options, sent: undefined },
  ]);
});
