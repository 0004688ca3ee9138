/** Whose renderer shows a block. Source: the contract; DeepChat, section 8. */
import { expect } from '@open-wc/testing';
import { AgentChat } from '../../src/index.ts';
import { MessageRendererRegistry, type AnyRenderer } from '../../src/renderers.ts';
import { mount } from '../components/support/mount.ts';
import { conversation, type LooseBlock } from '../support/messages.ts';
import { saying } from './support/saying.ts';

const DATA: LooseBlock = { type: 'data', data: { data_type: 'custom', data: { dataType: 'weather' } } };
const TOOL: LooseBlock = { type: 'tool_call', tool_call: { id: 't', name: 'search' } };

/** What the registry would take for a block, in its order. */
function order(renderers: readonly AnyRenderer[], block: LooseBlock, agentId?: string): readonly unknown[] {
  const registry = new MessageRendererRegistry();
  for (const renderer of renderers) registry.register(renderer);
  const [message] = conversation({ role: 'assistant', blocks: [block], ...(agentId !== undefined && { agentId }) });
  const [shown] = message?.blocks ?? [];
  if (!message || !shown) return [];
  return registry.match(shown, message).map(({ getProps }) => getProps(shown as never, {} as never));
}

interface Row {
  readonly name: string;
  readonly renderers: readonly AnyRenderer[];
  readonly block?: LooseBlock;
  readonly agentId?: string;
  readonly expected: readonly string[];
}

const rows: readonly Row[] = [
  { name: 'the newest of a type first', renderers: [saying('a', { agentTypes: ['x'] }), saying('b')], expected: ['b'] },
  { name: 'one of the same name takes the place', renderers: [saying('a'), saying('b')], expected: ['b'] },
  {
    name: 'a data_type before the type, whenever it came',
    renderers: [saying('custom', { dataType: 'custom' }), saying('any')],
    expected: ['custom', 'any'],
  },
  {
    name: 'the payload’s own dataType counts as well',
    renderers: [saying('any'), saying('weather', { dataType: 'weather' })],
    expected: ['weather', 'any'],
  },
  { name: 'another data_type does not', renderers: [saying('chart', { dataType: 'chart' })], expected: [] },
  {
    name: 'a tool’s name before the type',
    block: TOOL,
    renderers: [saying('any', { type: 'tool_call' }), saying('search', { type: 'tool_call', toolName: 'search' })],
    expected: ['search', 'any'],
  },
  {
    name: 'another tool’s name does not count',
    block: TOOL,
    renderers: [saying('other', { type: 'tool_call', toolName: 'other' })],
    expected: [],
  },
  {
    name: 'an agent before the type',
    agentId: 'stock',
    renderers: [saying('stock', { agentTypes: ['stock'] }), saying('any')],
    expected: ['stock', 'any'],
  },
  {
    name: 'another agent does not count',
    agentId: 'code',
    renderers: [saying('stock', { agentTypes: ['stock'] })],
    expected: [],
  },
  {
    name: 'data and agent, then data, then agent, then type',
    agentId: 'stock',
    renderers: [
      saying('type'),
      saying('agent', { agentTypes: ['stock'] }),
      saying('data', { dataType: 'custom' }),
      saying('both', { dataType: 'custom', agentTypes: ['stock'] }),
    ],
    expected: ['both', 'data', 'agent', 'type'],
  },
  {
    name: 'a MessageType stands for the block of its kind',
    renderers: [saying('structured', { type: 'structured_data' })],
    expected: ['structured'],
  },
  {
    name: '“command” is the result of one',
    block: { type: 'command_result', commandResult: { success: true, output: '' } },
    renderers: [saying('command', { type: 'command' })],
    expected: ['command'],
  },
];

describe('renderers: the order of those that fit', () => {
  for (const { name, renderers, block = DATA, agentId, expected } of rows) {
    it(name, () => {
      expect(order(renderers, block, agentId)).to.deep.equal(expected);
    });
  }
});

describe('MessageRendererRegistry', () => {
  it('getRenderer finds one by its type, and for one agent that agent’s own', () => {
    const registry = new MessageRendererRegistry();
    const [any, stock] = [saying('any'), saying('stock', { agentTypes: ['stock'] })];
    registry.register(any);
    registry.register(stock);
    expect(registry.getRenderer('data')).to.equal(any);
    expect(registry.getRenderer('data', 'stock')).to.equal(stock);
    expect(registry.getRenderer('data', 'code')).to.equal(any);
    expect(registry.getRenderer('error')).to.equal(undefined);
  });

  it('getRenderer knows a MessageType and the block type it stands for as one', () => {
    const registry = new MessageRendererRegistry();
    const content = saying('words', { type: 'content' });
    const structured = saying('structured', { type: 'structured_data' });
    registry.register(content);
    registry.register(structured);
    expect(registry.getRenderer('text')).to.equal(content);
    expect(registry.getRenderer('data')).to.equal(structured);
  });

  it('getRenderer does not give the renderer of one tool or one kind of data for all', () => {
    const registry = new MessageRendererRegistry();
    registry.register(saying('weather', { dataType: 'weather' }));
    registry.register(saying('search', { type: 'tool_call', toolName: 'search' }));
    expect(registry.getRenderer('data')).to.equal(undefined);
    expect(registry.getRenderer('tool_call')).to.equal(undefined);
  });

  it('register gives what takes it back, and what stood there before is there again', () => {
    const registry = new MessageRendererRegistry();
    const [first, second] = [saying('a'), saying('b')];
    registry.register(first);
    const undo = registry.register(second);
    expect(registry.list()).to.deep.equal([second]);
    undo();
    expect(registry.list()).to.deep.equal([first]);
    undo();
    expect(registry.list()).to.deep.equal([first]);
  });

  it('taken back in another order than they came, none comes back', () => {
    const registry = new MessageRendererRegistry();
    const undoFirst = registry.register(saying('a'));
    const undoSecond = registry.register(saying('b'));
    undoFirst();
    undoSecond();
    expect(registry.list()).to.deep.equal([]);
  });

  it('get and unregister go by the name of what it is for', () => {
    const registry = new MessageRendererRegistry();
    const weather = saying('weather', { dataType: 'weather' });
    registry.register(weather);
    expect(registry.get('data:weather')).to.equal(weather);
    registry.unregister('data:weather');
    expect(registry.list()).to.deep.equal([]);
  });

  it('is what the element carries, and what all elements share', async () => {
    const { chat } = await mount();
    expect(chat.renderers).to.be.instanceOf(MessageRendererRegistry);
    expect(AgentChat.renderers).to.be.instanceOf(MessageRendererRegistry);
    expect(chat.renderers).not.to.equal(AgentChat.renderers);
  });
});
