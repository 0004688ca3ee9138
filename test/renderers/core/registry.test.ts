/** Which renderer shows a block. Source: DeepChat, section 8. */
import { expect } from '@open-wc/testing';
import { AgentChat } from '../../../src/index.ts';
import { MessageRendererRegistry, type AnyRenderer } from '../../../src/renderers.ts';
import { mount } from '../../components/support/mount.ts';
import { conversation, type LooseBlock } from '../../support/messages.ts';
import { saying } from '../support/saying.ts';

const DATA: LooseBlock = { type: 'data', data: { data_type: 'custom', data: { dataType: 'weather' } } };
/** Structured content of a response: its kind is beside the data. */
const STRUCTURED: LooseBlock = {
  type: 'data',
  data: { data_type: 'custom', data: { price: 1 }, metadata: { dataType: 'quote' } },
};
const TOOL: LooseBlock = { type: 'tool_call', tool_call: { id: 't', name: 'search' } };

/** The renderers that the registry would try for a block, in order. */
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
  { name: 'one with the same name replaces the previous one', renderers: [saying('a'), saying('b')], expected: ['b'] },
  {
    name: 'a data_type before the type, in any order of registration',
    renderers: [saying('custom', { dataType: 'custom' }), saying('any')],
    expected: ['custom', 'any'],
  },
  {
    name: 'the dataType of the payload counts as well',
    renderers: [saying('any'), saying('weather', { dataType: 'weather' })],
    expected: ['weather', 'any'],
  },
  { name: 'another data_type does not match', renderers: [saying('chart', { dataType: 'chart' })], expected: [] },
  {
    name: 'a tool name before the type',
    block: TOOL,
    renderers: [saying('any', { type: 'tool_call' }), saying('search', { type: 'tool_call', toolName: 'search' })],
    expected: ['search', 'any'],
  },
  {
    name: 'another tool name does not match',
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
    name: 'another agent does not match',
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
    name: 'a MessageType stands for its block type',
    renderers: [saying('structured', { type: 'structured_data' })],
    expected: ['structured'],
  },
  {
    name: 'structured data: its own renderer, then that of data, in any order of registration',
    block: STRUCTURED,
    renderers: [saying('structured', { type: 'structured_data' }), saying('data')],
    expected: ['structured', 'data'],
  },
  {
    name: 'other data: its own renderer, then that of structured data, in any order of registration',
    renderers: [saying('data'), saying('structured', { type: 'structured_data' })],
    expected: ['data', 'structured'],
  },
  {
    name: 'the type of the message before the agent, and the kind of data before both',
    block: STRUCTURED,
    agentId: 'stock',
    renderers: [
      saying('kind', { dataType: 'quote' }),
      saying('structured', { type: 'structured_data' }),
      saying('agent', { agentTypes: ['stock'] }),
    ],
    expected: ['kind', 'structured', 'agent'],
  },
  {
    name: '“command” is a command result',
    block: { type: 'command_result', commandResult: { success: true, output: '' } },
    renderers: [saying('command', { type: 'command' })],
    expected: ['command'],
  },
];

describe('the order of matching renderers', () => {
  for (const { name, renderers, block = DATA, agentId, expected } of rows) {
    it(name, () => {
      expect(order(renderers, block, agentId)).to.deep.equal(expected);
    });
  }
});

describe('MessageRendererRegistry', () => {
  it('getRenderer finds a renderer by its type, and prefers that of an agent', () => {
    const registry = new MessageRendererRegistry();
    const [any, stock] = [saying('any'), saying('stock', { agentTypes: ['stock'] })];
    registry.register(any);
    registry.register(stock);
    expect(registry.getRenderer('data')).to.equal(any);
    expect(registry.getRenderer('data', 'stock')).to.equal(stock);
    expect(registry.getRenderer('data', 'code')).to.equal(any);
    expect(registry.getRenderer('error')).to.equal(undefined);
  });

  it('getRenderer treats a MessageType and its block type as the same', () => {
    const registry = new MessageRendererRegistry();
    const content = saying('words', { type: 'content' });
    const structured = saying('structured', { type: 'structured_data' });
    registry.register(content);
    registry.register(structured);
    expect(registry.getRenderer('text')).to.equal(content);
    expect(registry.getRenderer('data')).to.equal(structured);
  });

  it('getRenderer prefers the renderer of exactly this type, in any order of registration', () => {
    for (const types of [
      ['data', 'structured_data', 'text', 'content'],
      ['content', 'text', 'structured_data', 'data'],
    ] as const) {
      const registry = new MessageRendererRegistry();
      for (const type of types) registry.register(saying(type, { type }));
      expect(types.map((type) => registry.getRenderer(type)?.type)).to.deep.equal(types);
    }
  });

  it('getRenderer does not return the renderer of one tool or one data type for its whole type', () => {
    const registry = new MessageRendererRegistry();
    registry.register(saying('weather', { dataType: 'weather' }));
    registry.register(saying('search', { type: 'tool_call', toolName: 'search' }));
    expect(registry.getRenderer('data')).to.equal(undefined);
    expect(registry.getRenderer('tool_call')).to.equal(undefined);
  });

  it('register returns an undo function that restores the previous renderer', () => {
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

  it('renderers undone in another order do not return', () => {
    const registry = new MessageRendererRegistry();
    const undoFirst = registry.register(saying('a'));
    const undoSecond = registry.register(saying('b'));
    undoFirst();
    undoSecond();
    expect(registry.list()).to.deep.equal([]);
  });

  it('get and unregister use the key of type and data type', () => {
    const registry = new MessageRendererRegistry();
    const weather = saying('weather', { dataType: 'weather' });
    registry.register(weather);
    expect(registry.get('data:weather')).to.equal(weather);
    registry.unregister('data:weather');
    expect(registry.list()).to.deep.equal([]);
  });

  it('is available on the element and shared on its class', async () => {
    const { chat } = await mount();
    expect(chat.renderers).to.be.instanceOf(MessageRendererRegistry);
    expect(AgentChat.renderers).to.be.instanceOf(MessageRendererRegistry);
    expect(chat.renderers).not.to.equal(AgentChat.renderers);
  });
});
