import { expect } from '@open-wc/testing';
import { PageAgentRegistry } from '../../src/agents/registry.ts';
import type { AgentCapability, BaseAgent } from '../../src/model/agent.ts';
import { agentOf } from './support/agent.ts';

const capability = (type: AgentCapability['type']): AgentCapability => ({ type, description: type });
const [coder, trader] = [
  agentOf('coder', { capabilities: [capability('code_generation'), capability('reasoning')] }),
  agentOf('trader', { capabilities: [capability('data_analysis'), capability('reasoning')] }),
];
const names = (agents: readonly BaseAgent[]): readonly string[] => agents.map(({ id }) => id);

function filled(discover?: () => Promise<readonly BaseAgent[]>): PageAgentRegistry {
  const registry = new PageAgentRegistry(discover);
  void registry.registerAgent(coder);
  void registry.registerAgent(trader);
  return registry;
}

/** Source: DeepChat strong-typed events, section 8. */
describe('AgentRegistry', () => {
  it('gives an agent by its id, and all in the order of their coming', () => {
    const registry = filled();
    expect(registry.getAgent('coder')).to.equal(coder);
    expect(registry.getAgent('nobody')).to.equal(undefined);
    expect(names(registry.getAllAgents())).to.deep.equal(['coder', 'trader']);
  });

  const rows: readonly { readonly type: AgentCapability['type']; readonly found: readonly string[] }[] = [
    { type: 'code_generation', found: ['coder'] },
    { type: 'reasoning', found: ['coder', 'trader'] },
    { type: 'image_processing', found: [] },
  ];
  for (const { type, found } of rows) {
    it(`finds those with ${type}, whatever else the capability says`, () => {
      const wanted = { type, description: 'said otherwise', required_permissions: ['x'] };
      expect(names(filled().getAgentsByCapability(wanted))).to.deep.equal(found);
    });
  }

  it('takes an agent away, and nothing for an unknown id', () => {
    const registry = filled();
    void registry.unregisterAgent('coder');
    void registry.unregisterAgent('nobody');
    expect(names(registry.getAllAgents())).to.deep.equal(['trader']);
  });

  it('a second agent of an id takes the place of the first', () => {
    const registry = filled();
    const other = agentOf('coder');
    void registry.registerAgent(other);
    expect(registry.getAgent('coder')).to.equal(other);
    expect(names(registry.getAllAgents())).to.deep.equal(['coder', 'trader']);
  });

  it('register() gives its undo, which takes no later one away', () => {
    const registry = new PageAgentRegistry();
    const undo = registry.register(coder);
    const other = agentOf('coder');
    const undoOther = registry.register(other);
    undo();
    expect(registry.get('coder')).to.equal(other);
    undoOther();
    expect(registry.list()).to.deep.equal([]);
  });

  it('registers what it discovers', async () => {
    const found = agentOf('found');
    const registry = filled(() => Promise.resolve([found]));
    expect(await registry.discoverAgents()).to.deep.equal([found]);
    expect(names(registry.getAllAgents())).to.deep.equal(['coder', 'trader', 'found']);
  });

  it('without a source discovers nothing; a source that fails changes nothing', async () => {
    expect(await filled().discoverAgents()).to.deep.equal([]);
    const registry = filled(() => Promise.reject(new Error('offline')));
    const problem = await registry.discoverAgents().catch((error: unknown) => error);
    expect(problem).to.be.an('error').with.property('message', 'offline');
    expect(names(registry.getAllAgents())).to.deep.equal(['coder', 'trader']);
  });

  it('gives a list of its own', () => {
    const registry = filled();
    const before = registry.getAllAgents();
    void registry.unregisterAgent('coder');
    expect(names(before)).to.deep.equal(['coder', 'trader']);
  });
});
