import type { AgentCapability, AgentRegistry, BaseAgent } from '../model/agent.ts';

/**
 * The agents that the page offers. `register`, `unregister`, `get` and `list` are the method names that all
 * registries share. It dispatches `change` when its agents change.
 */
export class PageAgentRegistry extends EventTarget implements AgentRegistry {
  readonly #agents = new Map<string, BaseAgent>();
  readonly #discover: () => Promise<readonly BaseAgent[]>;

  constructor(discover: () => Promise<readonly BaseAgent[]> = () => Promise.resolve([])) {
    super();
    this.#discover = discover;
  }

  /**
   * Registers an agent and replaces one with the same id.
   *
   * @returns a function that removes the agent
   */
  register(agent: BaseAgent): () => void {
    this.#agents.set(agent.id, agent);
    this.dispatchEvent(new Event('change'));
    return () => {
      if (this.#agents.get(agent.id) === agent) this.unregister(agent.id);
    };
  }

  unregister(id: string): void {
    if (this.#agents.delete(id)) this.dispatchEvent(new Event('change'));
  }

  get(id: string): BaseAgent | undefined {
    return this.#agents.get(id);
  }

  list(): readonly BaseAgent[] {
    return [...this.#agents.values()];
  }

  registerAgent(agent: BaseAgent): Promise<void> {
    this.register(agent);
    return Promise.resolve();
  }

  unregisterAgent(id: string): Promise<void> {
    this.unregister(id);
    return Promise.resolve();
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

  /** Runs the discovery function and registers the agents that it returns. */
  async discoverAgents(): Promise<readonly BaseAgent[]> {
    const discovered = await this.#discover();
    for (const agent of discovered) this.register(agent);
    return discovered;
  }
}

/** The agent registry shared by all widgets. */
export const agents = new PageAgentRegistry();
