import { expect } from '@open-wc/testing';
import { adapter as mastra } from '../../../src/protocols/mastra/mastra.ts';
import { bareBlock, call, text, thought } from '../../support/bare.ts';
import { playBody, sse } from '../../support/play-body.ts';
import { chunk } from './streams.ts';

const of = (type: string, payload: object = {}): object => ({ type, runId: 'r', from: 'NETWORK', payload });
const chooses = of('routing-agent-end', {
  primitiveId: 'weather',
  primitiveType: 'agent',
  selectionReason: 'It knows the weather.',
  isComplete: false,
});
const begins = of('agent-execution-start', { agentId: 'weather', args: { prompt: 'Rome?' }, runId: 's' });
const inner = (type: string, payload: object): object =>
  of(`agent-execution-event-${type}`, { ...chunk(type, payload), runId: 's' });
const ends = of('agent-execution-end', { agentId: 'weather', result: 'Sunny.' });
const finish = of('network-execution-event-finish', {
  result: 'It is sunny in Rome.',
  isComplete: true,
  usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
});
const silent = [
  of('routing-agent-start', { agentId: 'router' }),
  of('network-execution-event-step-finish', { result: 'Sunny.' }),
  of('network-validation-start', { checksCount: 1 }),
  of('network-validation-end', { passed: true }),
  of('routing-agent-text-start', { runId: 's' }),
];
const remote = { extra: { remote: true } };
const agentCall = call('weather-1', 'weather', { params: '{"prompt":"Rome?"}', response: 'Sunny.' }, remote);

const shown = async (...chunks: readonly object[]) => {
  const { messages, warnings, outcome } = await playBody(mastra, sse(...chunks));
  const [message] = messages;
  return { blocks: message?.blocks.map(bareBlock), warnings, outcome, usage: message?.usage };
};

describe('mastra, a network of agents', () => {
  it('shows the choice, the call with its result, and the answer', async () => {
    const deltas = [
      of('routing-agent-text-delta', { text: 'It is ' }),
      of('routing-agent-text-delta', { text: 'sunny.' }),
    ];
    const { blocks, warnings, outcome, usage } = await shown(chooses, begins, ends, ...silent, ...deltas, finish);
    expect(blocks).to.deep.equal([thought('It knows the weather.\n\n'), agentCall, text('It is sunny.')]);
    expect([warnings, outcome.finish, usage?.total_tokens]).to.deep.equal([[], 'complete', 7]);
  });

  it('shows the result as the answer if no text was streamed', async () => {
    const { blocks } = await shown(begins, ends, finish);
    expect(blocks).to.deep.equal([agentCall, text('It is sunny in Rome.')]);
  });

  it('shows what a called agent says inside of its call', async () => {
    const { messages } = await playBody(
      mastra,
      sse(begins, inner('text-delta', { id: 't', text: 'Let me see.' }), ends, finish),
    );
    const said = messages[0]?.blocks.filter(({ type }) => type === 'content').map(bareBlock);
    const [inside] = messages[0]?.blocks ?? [];
    expect(said).to.deep.equal([text('Let me see.', { parentId: inside?.id }), text('It is sunny in Rome.')]);
  });

  it('shows the error of a called agent as that of its call', async () => {
    const fails = inner('error', { error: { message: 'Quota exceeded' } });
    const { blocks } = await shown(
      begins,
      fails,
      of('agent-execution-end', { agentId: 'weather', result: '' }),
      finish,
    );
    expect(blocks?.[0]).to.deep.equal(
      call(
        'weather-1',
        'weather',
        { params: '{"prompt":"Rome?"}', response: 'Quota exceeded' },
        { ...remote, status: 'error', error: { message: 'Quota exceeded' } },
      ),
    );
  });

  it('shows each part of the reasoning of a called agent as a paragraph, and that some is hidden', async () => {
    const { messages } = await playBody(
      mastra,
      sse(
        begins,
        inner('reasoning-start', { id: 'a' }),
        inner('reasoning-delta', { id: 'a', text: 'O' }),
        inner('reasoning-delta', { id: 'a', text: 'ne' }),
        inner('reasoning-start', { id: 'b' }),
        inner('reasoning-delta', { id: 'b', text: 'Two' }),
        inner('redacted-reasoning', { id: 'c', data: 'x' }),
        ends,
        finish,
      ),
    );
    const [inside, ...others] = messages[0]?.blocks ?? [];
    expect(others.map(bareBlock)[0]).to.deep.equal(
      thought('One\n\nTwo', { parentId: inside?.id, extra: { hidden: true } }),
    );
  });

  it('shows a tool and a workflow', async () => {
    const tool = { toolName: 'lookup', toolCallId: 'c', args: { city: 'Rome' } };
    const { blocks } = await shown(
      of('tool-execution-start', { args: tool }),
      of('tool-execution-end', { toolCallId: 'c', toolName: 'lookup', result: { sky: 'clear' } }),
      of('workflow-execution-start', { name: 'plan', workflowId: 'w', args: { prompt: 'Plan' } }),
      of('workflow-execution-end', { name: 'plan', workflowId: 'w', result: 'Planned.' }),
      finish,
    );
    expect(blocks).to.deep.equal([
      call('c', 'lookup', { params: '{"city":"Rome"}', response: '{"sky":"clear"}' }, remote),
      call('plan-1', 'plan', { params: '{"prompt":"Plan"}', response: 'Planned.' }, remote),
      text('It is sunny in Rome.'),
    ]);
  });

  for (const type of ['tool-execution-approval', 'agent-execution-approval'])
    it(`asks for the approval of a tool: ${type}`, async () => {
      const approval = of(type, { toolCallId: 'c', toolName: 'lookup', args: { city: 'Rome' } });
      const { messages, outcome } = await playBody(mastra, sse(approval));
      const question = messages[0]?.blocks.find((block) => block.type === 'action');
      expect(question?.extra).to.include({ runId: 'r', network: true });
      expect(outcome.finish).to.equal('tool_use');
    });

  it('shows an object as data', async () => {
    const { blocks } = await shown(of('network-object-result', { object: { sky: 'clear' } }), finish);
    expect(blocks?.[0]).to.deep.equal({ type: 'data', data: { data_type: 'custom', data: { sky: 'clear' } } });
  });

  for (const type of [
    'routing-agent-abort',
    'agent-execution-abort',
    'workflow-execution-abort',
    'tool-execution-abort',
  ])
    it(`is cancelled when the server aborts it: ${type}`, async () => {
      const { outcome } = await shown(begins, of(type, { primitiveType: 'agent', primitiveId: 'weather' }));
      expect(outcome.status).to.equal('cancelled');
    });
});
