import type { AgentCapability, AgentRegistry, BaseAgent } from '../model/agent.ts';

/**
 * The agents that a page offers. Source: DeepChat strong-typed events, section 8; `register`, `unregister`, `get` and `list`
 * are the common names of the contract's registries.
 */
export class PageAgentRegistry implements AgentRegistry {
  readonly #agents = new Map<string, BaseAgent>();
  readonly #discover: () => Promise<readonly BaseAgent[]>;

  constructor(discover: () => Promise<readonly BaseAgent[]> = () => Promise.resolve([])) {
    this.#discover = discover;
  }

  /** Adds an agent, in the place of one of the same id. @returns what takes it back */
  register(agent: BaseAgent): () => void {
    this.#agents.set(agent.id, agent);
    return () => {
      if (this.#agents.get(agent.id) === agent) this.#agents.delete(agent.id);
    };
  }

  unregister(id: string): void {
    this.#agents.delete(id);
  }

  get(id: string): BaseAgent | undefined {
    return this.#agents.get(id);
  }

  list(): readonly BaseAgent[] {
    return [...this.#agents.values()];
  }

  registerAgent(agent: BaseAgent): void {
    this.register(agent);
  }

  unregisterAgent(id: string): void {
    this.unregister(id);
  }

  getAgent(id: string): BaseAgent | undefined {
    return this.get(id);
  }

  getAgentsByCapability({ type }: Pick<AgentCapability, 'type'>): readonly BaseAgent[] {
    return this.list().filter((agent) => agent.capabilities.some((capability) => capability.type === type));
  }

  getAllAgents(): readonly BaseAgent[] {
    return this.list();
  }

  /** Asks where agents come from, and registers what is found. */
  async discoverAgents(): Promise<readonly BaseAgent[]> {
    const found = await this.#discover();
    for (const agent of found) this.register(agent);
    return found;
  }
}

/** The registry that every widget shares. */
export const agents = new PageAgentRegistry();
